import type { ExportFormat, ExportScope } from '#contract/export.ts'
import type { AppDeps } from '#server/deps.ts'
import { locateEntry } from '#server/entries/reading.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { conflict, forbidden } from '#server/platform/errors.ts'

/**
 * Requires that the caller may take this out: an entry that they may view, or a project of which they are a member. Throws `not_found`
 * and `forbidden`, and `conflict` for the site of a private project: it shows what visitors see.
 */
export async function requireExportable(
  deps: AppDeps,
  caller: Caller,
  scope: ExportScope,
  format?: ExportFormat,
): Promise<void> {
  if (scope === 'account') return
  if ('entry' in scope) {
    await locateEntry(deps, caller, scope.entry)
    return
  }
  const { role, isPublic } = await requireAccess(deps.db, caller, 'project:view', {
    projectId: scope.project,
  })
  if (role === null) throw forbidden()
  if (format === 'site' && !isPublic)
    throw conflict('A site shows what visitors see. Make the project public or unlisted first.')
}
