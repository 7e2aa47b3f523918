import type { Entry, EntryBetween, EntryLocation, RenderedEntry } from '#contract/entries.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { showFilesOfEntries } from '#server/files/uses.ts'
import { may, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { entryPresenter, readerOf, withRenderedContent } from './present.ts'
import { playVideosOf, renderForReading, withFiles } from './rendering.ts'
import { findRendering, listHtml, type RenderingRecord } from './rendering-store.ts'
import { type EntryRecord, findEntry, findLocation, findNeighbours, listLastPublished } from './store.ts'

/** The ids of an entry and of the milestone that it is requested under. */
export type EntryRef = { milestoneId: string; entryId: string }

type Published = Entry & { html?: string }

/**
 * Returns the entries of a project that were published last, the last one first, and the HTML of as many of them as have
 * at most `htmlMax` characters in total. Throws `not_found`.
 */
export function listLastEntries(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
  most: Most,
): Promise<Published[]> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { projectId })
    return listLast({ ...deps, db }, [projectId], most, { caller, isPublic: access.isPublic })
  })
}

/** Like `listLastEntries`, of several public projects for their visitors: the caller has read in the same snapshot that they are public. */
export const listLastPublicEntries = (
  deps: ListingDeps,
  projectIds: readonly string[],
  most: Most,
): Promise<Published[]> => listLast(deps, projectIds, most, { caller: null, isPublic: true })

type Most = { limit: number; htmlMax: number }
type ListingDeps = Pick<AppDeps, 'links' | 'fileSettings'> & { db: Db }

async function listLast(
  deps: ListingDeps,
  projectIds: readonly string[],
  { limit, htmlMax }: Most,
  { caller, isPublic }: { caller: Caller | null; isPublic: boolean },
): Promise<Published[]> {
  const rows = await listLastPublished(deps.db, projectIds, limit)
  const ids = rows.map(({ id }) => id)
  const stored = await listHtml(deps.db, ids, htmlMax)
  const reader = isPublic ? null : caller
  const htmlOf = await showFilesOfEntries(deps, stored, { reader, plain: true })
  const present = entryPresenter(deps, caller, { isPublic })
  return rows.map((row) => {
    const html = htmlOf.get(row.id)
    return { ...present(row), ...(html !== undefined && { html }) }
  })
}

/**
 * Returns the content of published entries as HTML, by id: of as many, in this order, as have at most `htmlMax` characters in total.
 * `reader`: for whom the URLs of their files are signed, null for the public. Whoever calls this has read in the same snapshot that these
 * entries are shown to them.
 */
export async function listPublishedHtml(
  deps: Pick<AppDeps, 'links' | 'fileSettings'> & { db: Db },
  reader: Caller | null,
  ids: string[],
  htmlMax: number,
): Promise<Map<string, string>> {
  const stored = await listHtml(deps.db, ids, htmlMax)
  const shown = await showFilesOfEntries(deps, stored, { reader, isBelowPicture: true })
  const { videoHosts } = deps.fileSettings
  return new Map(Array.from(shown, ([id, html]) => [id, playVideosOf(html, videoHosts)]))
}

/** The rows of an entry, and the presenter for this caller. */
type Found = {
  row: EntryRecord
  stored: RenderingRecord | undefined
  present: (row: EntryRecord) => Entry
  /** The person for whom the URLs of its files are signed. */
  reader: Caller | null
}

/** Finds an entry that the caller may view, for `renderEntry`. Throws `not_found`. */
export function findForReading(
  deps: Pick<AppDeps, 'db' | 'links'>,
  caller: Caller | null,
  ref: EntryRef,
): Promise<Found> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { milestoneId: ref.milestoneId })
    return findWith({ ...deps, db }, caller, access, ref)
  })
}

/** Finds an entry of a public project for its visitors: the caller has read in the same snapshot that the project is public. */
export const findPublished = (deps: FindingDeps, ref: EntryRef): Promise<Found> =>
  findWith(deps, null, { isPublic: true }, ref)

type FindingDeps = Pick<AppDeps, 'links'> & { db: Db }

async function findWith(
  deps: FindingDeps,
  caller: Caller | null,
  access: { isPublic: boolean },
  ref: EntryRef,
): Promise<Found> {
  const row = await findEntry(deps.db, ref.milestoneId, ref.entryId, caller?.userId ?? null)
  if (!row) throw notFound('Entry')
  const stored = await findRendering(deps.db, row.id)
  const reader = readerOf(row, caller, access.isPublic)
  return { row, stored, present: entryPresenter(deps, caller, access), reader }
}

/** Returns an entry with its content as HTML, which may have to be rendered: call it without an open transaction. */
export async function renderEntry(
  deps: Pick<AppDeps, 'db' | 'renderer' | 'log' | 'links' | 'fileSettings'>,
  { row, stored, present, reader }: Found,
): Promise<RenderedEntry> {
  const reading = await renderForReading(deps, row, stored)
  return withRenderedContent(present(row), await withFiles(deps, row, reading, reader))
}

/** Returns an entry that the caller may view, with its neighbors. Throws `not_found`. */
export async function readEntry(deps: AppDeps, caller: Caller | null, ref: EntryRef): Promise<EntryBetween> {
  const { found, ...neighbours } = await inSnapshot(deps.db, async (db) => {
    const found = await findForReading({ ...deps, db }, caller, ref)
    const { id, milestone_id: milestoneId, happened_at: happenedAt } = found.row
    const beside = { id, milestoneId, happenedAt, reader: caller?.userId ?? null }
    return { found, ...(await findNeighbours(db, beside)) }
  })
  return { ...(await renderEntry(deps, found)), ...neighbours }
}

/**
 * Returns the milestone and project of an entry that the caller may view. Throws the same `not_found` for a hidden entry
 * and for one that does not exist.
 */
export function locateEntry(deps: AppDeps, caller: Caller | null, entryId: string): Promise<EntryLocation> {
  return inSnapshot(deps.db, async (db) => {
    const found = await findLocation(db, entryId, caller?.userId ?? null)
    if (!found || !(await may(db, caller, 'project:view', found.project))) throw notFound('Entry')
    return { _id: entryId, ...found }
  })
}
