import { REVISIONS_PER_PAGE, type Revision, type RevisionPage, type RevisionText } from '#contract/history.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { presentAuthor } from '#server/files/people.ts'
import { choiceOf } from '#server/files/present.ts'
import { showFilesOfRevision } from '#server/files/uses.ts'
import { requireAccess } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import {
  findEntryOfHistory,
  findRevision,
  findRevisionOfVersion,
  type ListedRevision,
  listRevisionRows,
  nameRevisionRow,
  type RevisionRecord,
} from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }
export type RevisionRef = EntryRef & { revisionId: string }

const NEWEST = 2_147_483_647

/** Returns what the caller may see of an entry's history. Throws `not_found`. */
async function requireHistory(db: Db, caller: Caller, { milestoneId, entryId }: EntryRef) {
  const entry = await findEntryOfHistory(db, { milestoneId, entryId, reader: caller.userId })
  if (!entry) throw notFound('Entry')
  return { entryId, version: entry.version, state: entry.state, withDrafts: entry.isAuthor }
}

/**
 * Returns a page of an entry's history, newest first, or only the revision with the content of a version, which is the base
 * of a merge. Throws `not_found` or `forbidden`.
 */
export function listRevisions(
  deps: AppDeps,
  caller: Caller,
  ref: EntryRef,
  { before = NEWEST, version }: { before?: number | undefined; version?: number | undefined },
): Promise<RevisionPage> {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'content:edit', { milestoneId: ref.milestoneId })
    const history = await requireHistory(db, caller, ref)
    if (version !== undefined) {
      const row = await findRevisionOfVersion(db, { ...history, version })
      return { revisions: row ? [presentRevision(row, history)] : [], next: null }
    }
    const rows = await listRevisionRows(db, { ...history, before, limit: REVISIONS_PER_PAGE + 1 })
    const page = rows.slice(0, REVISIONS_PER_PAGE)
    const next = rows.length > page.length ? (page.at(-1)?.version ?? null) : null
    return { revisions: page.map((row) => presentRevision(row, history)), next }
  })
}

/** Returns a revision with its content and rendered HTML. Throws `not_found`, `forbidden` or `unavailable`. */
export async function readRevision(deps: AppDeps, caller: Caller, ref: RevisionRef): Promise<RevisionText> {
  const { row, history } = await findForReading(deps, caller, ref)
  const { html } = await deps.renderer.render(clientOf(caller), row.content)
  return presentText(row, history, await showFilesOfRevision(deps, { id: row.id, html }, caller))
}

function findForReading(deps: AppDeps, caller: Caller, ref: RevisionRef) {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'content:edit', { milestoneId: ref.milestoneId })
    return requireRevision(db, caller, ref)
  })
}

type Found = { row: RevisionRecord; history: Awaited<ReturnType<typeof requireHistory>> }

async function requireRevision(db: Db, caller: Caller, ref: RevisionRef): Promise<Found> {
  const history = await requireHistory(db, caller, ref)
  const row = await findRevision(db, { ...history, revisionId: ref.revisionId })
  if (!row) throw notFound('Revision')
  return { row, history }
}

/** Names a revision, so that it is never deleted, or removes its name (null). Throws `not_found` or `forbidden`. */
export function nameRevision(
  deps: AppDeps,
  caller: Caller,
  ref: RevisionRef,
  name: string | null,
): Promise<Revision> {
  const { milestoneId } = ref
  return changeProjects(deps, caller, 'content:edit', [{ milestoneId }], async (trx, [access], publish) => {
    const { row, history } = await requireRevision(trx, caller, ref)
    await nameRevisionRow(trx, row.id, name)
    const isSeen = row.state === 'published' && history.state === 'published'
    publish({ project: access.projectId, ...(!isSeen && { person: caller.userId }) })
    return presentRevision({ ...row, name }, history)
  })
}

/** Returns what a revision restores: all but its milestone and its state. Throws `not_found` or `forbidden`. */
export async function readRestored(deps: AppDeps, caller: Caller, ref: RevisionRef) {
  const { row } = await findForReading(deps, caller, ref)
  return {
    title: row.title,
    content: row.content,
    tags: row.tags,
    happenedAt: row.happened_at.toISOString(),
    happenedZone: row.happened_zone,
    coverFile: choiceOf(row),
  }
}

/** Presents a revision of an entry whose current version is `version`. It contains the authors' names, never their ids. */
function presentRevision(row: ListedRevision, { version }: { version: number }): Revision {
  return {
    _id: row.id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    authors: row.authors.flatMap((name) => presentAuthor(name) ?? []),
    name: row.name,
    cause: row.cause,
    state: row.state,
    title: row.title,
    wordCount: row.word_count,
    isCurrent: row.version === version,
  }
}

function presentText(row: RevisionRecord, now: { version: number }, html: string): RevisionText {
  return {
    ...presentRevision(row, now),
    content: row.content,
    tags: row.tags,
    happenedAt: row.happened_at.toISOString(),
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
    html,
  }
}
