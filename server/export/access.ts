import type { ExportFormat, ExportScope } from '#contract/export.ts'
import type { AppDeps } from '#server/deps.ts'
import { locateEntry } from '#server/entries/reading.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, forbidden, notFound } from '#server/platform/api/errors.ts'
import { offersDownloads } from './store.ts'

/** What readers without an account may take out of a public project. */
export const READER_FORMATS = ['epub', 'site'] as const
export type ReaderFormat = (typeof READER_FORMATS)[number]

/**
 * Requires that the caller may take this out: an entry that they may view, or a project of which they are a member, or for a reader
 * without an account one that offers it. Throws `not_found` and `forbidden`, and `conflict` for the site of a private project: it
 * shows what visitors see.
 */
export async function requireExportable(
  deps: AppDeps,
  caller: Caller | null,
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
  if (caller === null && !(await offersDownloads(deps.db, scope.project))) throw notFound('Project')
  if (caller !== null && role === null) throw forbidden()
  if (format === 'site' && !isPublic)
    throw conflict('A site shows what visitors see. Make the project public or unlisted first.')
}
