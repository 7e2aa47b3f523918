import type { ExportScope } from '#contract/export.ts'
import type { AppDeps } from '#server/deps.ts'
import { locateEntry } from '#server/entries/reading.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden } from '#server/platform/errors.ts'

/**
 * Requires that the caller may take this out: an entry that they may view, or a project of which they are a member. Throws `not_found`
 * and `forbidden`.
 */
export async function requireExportable(deps: AppDeps, caller: Caller, scope: ExportScope): Promise<void> {
  if (scope === 'account') return
  if ('entry' in scope) {
    await locateEntry(deps, caller, scope.entry)
    return
  }
  const { role } = await requireAccess(deps.db, caller, 'project:view', { projectId: scope.project })
  if (role === null) throw forbidden()
}
