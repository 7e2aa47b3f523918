import type { ExportScope } from '#contract/export.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { locateEntry } from '#server/entries/reading.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { forbidden, notFound } from '#server/platform/api/errors.ts'
import { listProjectsOf, offersDownloads } from './store.ts'

/** What readers without an account may take out of a public project. */
export const READER_FORMATS = ['epub', 'site'] as const
export type ReaderFormat = (typeof READER_FORMATS)[number]

/**
 * Requires that the caller may take this out: an entry that they may view, or a project of which they are a member, or for a reader
 * without an account one that offers it. Throws `not_found` and `forbidden`.
 */
export async function requireExportable(
  deps: AppDeps,
  caller: Caller | null,
  scope: ExportScope,
): Promise<void> {
  if (scope === 'account') return
  if ('entry' in scope) {
    await locateEntry(deps, caller, scope.entry)
    return
  }
  const { role } = await requireAccess(deps.db, caller, 'project:view', {
    projectId: scope.project,
  })
  if (caller === null && !(await offersDownloads(deps.db, scope.project))) throw notFound('Project')
  if (caller !== null && role === null) throw forbidden()
}

/** Returns the ids of the live projects that a person owns and that the caller may read, by creation. */
export async function listOwnProjects(db: Db, caller: Caller | null): Promise<string[]> {
  if (caller === null) return []
  const projects = await listProjectsOf(db, caller.userId, caller.grant?.projectIds ?? null)
  return projects.filter(({ is_own: isOwn }) => isOwn).map(({ id }) => id)
}
