import { v7 as uuidv7 } from 'uuid'
import type { Entry, EntryFields } from '#contract/entries.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { withStoredImage } from '#server/media/service.ts'
import type { Parts } from '#server/parts.ts'
import { changeProject } from '#server/permissions/change.ts'
import { demand } from '#server/permissions/demand.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, refuseStale } from '#server/platform/errors.ts'
import type { Upload } from '#server/platform/uploads.ts'
import { entryPresenter } from './present.ts'
import {
  deleteEntryRow,
  findEntry,
  insertEntry,
  listEntriesOf,
  listEntriesOfProject,
  listNewestOfProject,
  updateEntryRow,
} from './store.ts'

type EntryPlace = { milestoneId: string; entryId: string }

/** What is written: the fields and, where one came, the file of an image. */
type Writing = { fields: EntryFields; upload: Upload | null }

/** The entries of a milestone that the caller may view, newest first. Throws `not_found`. */
export function listEntries(parts: Parts, caller: Caller | null, milestoneId: string): Promise<Entry[]> {
  return inSnapshot(parts.db, async (db) => {
    const standing = await demand(db, caller, 'project:view', { milestoneId })
    return (await listEntriesOf(db, milestoneId)).map(entryPresenter(parts, caller, standing))
  })
}

/** All entries of a project that the caller may view, newest first. Throws `not_found`. */
export function listProjectEntries(parts: Parts, caller: Caller | null, projectId: string): Promise<Entry[]> {
  return inSnapshot(parts.db, async (db) => {
    const standing = await demand(db, caller, 'project:view', { projectId })
    return (await listEntriesOfProject(db, projectId)).map(entryPresenter(parts, caller, standing))
  })
}

/** The newest entries of a project that the caller may view, newest first. Throws `not_found`. */
export function listNewestEntries(
  parts: Parts,
  caller: Caller | null,
  projectId: string,
  limit: number,
): Promise<Entry[]> {
  return inSnapshot(parts.db, async (db) => {
    const standing = await demand(db, caller, 'project:view', { projectId })
    return (await listNewestOfProject(db, projectId, limit)).map(entryPresenter(parts, caller, standing))
  })
}

/** One entry that the caller may view. Throws `not_found`. */
export function readEntry(parts: Parts, caller: Caller | null, place: EntryPlace): Promise<Entry> {
  return inSnapshot(parts.db, async (db) => {
    const standing = await demand(db, caller, 'project:view', { milestoneId: place.milestoneId })
    const row = await findEntry(db, place.milestoneId, place.entryId)
    if (!row) throw notFound('Entry')
    return entryPresenter(parts, caller, standing)(row)
  })
}

/** Writes an entry. Throws `not_found`, `forbidden`, or what is wrong with the image. */
export async function createEntry(
  parts: Parts,
  caller: Caller,
  milestoneId: string,
  { fields, upload }: Writing,
): Promise<Entry> {
  // Before an image is taken in; the change demands the right again.
  if (upload) await demand(parts.db, caller, 'content:edit', { milestoneId })
  return withStoredImage(parts, caller, upload, (image) =>
    changeProject(parts, caller, 'content:edit', { milestoneId }, async (trx, standing) => {
      const row = await insertEntry(trx, { ...fields, image, id: uuidv7(), milestoneId, now: parts.clock() })
      return entryPresenter(parts, caller, standing)(row)
    }),
  )
}

/**
 * Changes an entry; a new image replaces the old one. Throws `not_found`, `forbidden`, `stale` where `ifMatch` is old,
 * or what is wrong with the image.
 */
export async function updateEntry(
  parts: Parts,
  caller: Caller,
  { milestoneId, entryId }: EntryPlace,
  { fields, upload, removeImage }: Writing & { removeImage: boolean },
  ifMatch: number | undefined,
): Promise<Entry> {
  // Before an image is taken in; the change demands the right again.
  if (upload) await demand(parts.db, caller, 'content:edit', { milestoneId })
  return withStoredImage(parts, caller, upload, (uploaded) =>
    changeProject(parts, caller, 'content:edit', { milestoneId }, async (trx, standing) => {
      const present = entryPresenter(parts, caller, standing)
      const current = await findEntry(trx, milestoneId, entryId)
      if (!current) throw notFound('Entry')
      refuseStale(ifMatch, present(current))
      const image = uploaded ?? (removeImage ? null : undefined)
      return present(await updateEntryRow(trx, entryId, { ...fields, image }, parts.clock()))
    }),
  )
}

/** Deletes an entry. Throws `not_found` or `forbidden`. */
export async function deleteEntry(
  parts: Parts,
  caller: Caller,
  { milestoneId, entryId }: EntryPlace,
): Promise<void> {
  await changeProject(parts, caller, 'content:edit', { milestoneId }, async (trx) => {
    if (!(await deleteEntryRow(trx, milestoneId, entryId))) throw notFound('Entry')
  })
}
