import type { Transaction } from 'kysely'
import {
  DRAFTS_MAX,
  type Draft,
  type DraftFields,
  type ListedDraft,
  type SavedDraft,
} from '#contract/drafts.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import { dayIn, usableZone } from '#contract/parts/date-formats.ts'
import { findTimeZone } from '#server/database/people.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { recordFilesOfDraft } from '#server/files/draft-uses.ts'
import { lockFilesOfEntry } from '#server/files/uses.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, conflict, notFound } from '#server/platform/api/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { draftPresenter, type ReferenceMaps } from './present.ts'
import {
  type DraftRecord,
  deleteDraft,
  findDraft,
  insertDraft,
  listDraftsOf,
  listEntriesOfDrafts,
  listMilestonesWithRole,
  lockDraft,
  lockOwnDraft,
  replaceDraft,
} from './store.ts'

export { deleteDraft, endingPart } from './store.ts'

/** Returns the caller's drafts, newest first, or only the draft of a given entry. */
export function listDrafts(
  deps: AppDeps,
  { userId }: Caller,
  { entry }: { entry?: string | undefined },
): Promise<{ drafts: ListedDraft[] }> {
  return inSnapshot(deps.db, async (db) => {
    const rows = await listDraftsOf(db, userId, entry)
    const present = draftPresenter(await loadReferences(db, userId, rows))
    return { drafts: rows.map(present.listed) }
  })
}

/** Returns one of the caller's drafts, even of an entry that they may no longer see. Throws `not_found`. */
export function readDraft(deps: AppDeps, { userId }: Caller, draftId: string): Promise<Draft> {
  return inSnapshot(deps.db, async (db) => {
    const row = await findDraft(db, userId, { id: draftId })
    if (!row) throw notFound('Draft')
    return presentOne(db, userId, row)
  })
}

/**
 * Stores the caller's unsaved text. Checks no rights: a text is stored even if the entry can no longer be saved, but it then
 * refers only to what the caller may see. Throws `not_found` for a version of a draft that does not exist, `stale` if the
 * draft has another version or the caller has another draft of the entry, and `conflict` if there are too many.
 */
export function saveDraft(
  deps: AppDeps,
  { userId }: Caller,
  draftId: string,
  fields: DraftFields,
  ifMatch: number | undefined,
): Promise<SavedDraft> {
  return transact(deps, async (trx, publish) => {
    const current = await lockDraft(trx, draftId)
    if (current ? current.writer_id !== userId : ifMatch !== undefined) throw notFound('Draft')
    if (current && current.version !== ifMatch)
      throw await stale(trx, userId, await findDraft(trx, userId, { id: draftId }))
    const now = deps.clock()
    const refs = await resolveRefs(trx, userId, fields, current)
    const values = {
      id: draftId,
      writer_id: userId,
      ...columnsOf(fields, await findTimeZone(trx, userId)),
      ...refs,
      now,
    }
    const version = current
      ? await replaceDraft(trx, values)
      : await insertDraft(trx, { ...values, version: (fields.after ?? 0) + 1 }, DRAFTS_MAX)
    if (version === 'too many') throw tooMany()
    if (version === 'taken') throw await taken(trx, userId, draftId, refs.entry_id)
    await recordFilesOfDraft(
      trx,
      { draftId, writerId: userId, entryId: refs.entry_id },
      { content: fields.content, coverFile: chosenFile(fields) },
    )
    publish({ person: userId, drafts: true })
    return { _id: draftId, version, savedAt: now.toISOString() }
  })
}

/** Discards a draft of the caller. Throws `not_found`. */
export async function discardDraft(deps: AppDeps, { userId }: Caller, draftId: string): Promise<void> {
  await transact(deps, async (trx, publish) => {
    const files = await lockOwnDraft(trx, userId, draftId)
    await lockFilesOfEntry(trx, null, { also: files })
    if (!(await deleteDraft(trx, userId, draftId))) throw notFound('Draft')
    publish({ person: userId, drafts: true })
  })
}

/** The file that the draft chooses as the cover, if it does. */
const chosenFile = ({ coverFile }: Pick<DraftFields, 'coverFile'>) =>
  coverFile === DEFAULT_COVER || coverFile === 'none' ? null : (coverFile ?? null)

/** The other choices of a cover. */
function otherCover({ coverFile }: Pick<DraftFields, 'coverFile'>): 'default' | 'none' | null {
  if (coverFile === DEFAULT_COVER) return DEFAULT_COVER
  return coverFile === 'none' ? 'none' : null
}

const columnsOf = (fields: DraftFields, accountZone: string | undefined) => {
  const { title, content, tags, happenedAt, happenedZone, baseVersion, coverFile } = fields
  const at = happenedAt ? new Date(happenedAt) : null
  const zone = at && usableZone(happenedZone, accountZone)
  return {
    title,
    content,
    tags,
    happened_at: at,
    happened_on: at && zone ? dayIn(zone, at) : null,
    happened_zone: at && zone,
    base_version: baseVersion ?? null,
    cover_file_id: chosenFile({ coverFile }),
    cover_choice: otherCover({ coverFile }),
  }
}

type DraftRefs = { entry_id: string | null; milestone_id: string | null }

/** Returns the references of a draft. References to what its writer may not edit are kept only if the draft already had them. */
async function resolveRefs(
  trx: Transaction<Schema>,
  userId: string,
  { entry, milestone }: DraftFields,
  before: DraftRefs | undefined,
): Promise<DraftRefs> {
  const requested = { entry_id: entry ?? null, milestone_id: milestone ?? null }
  if (before?.entry_id === requested.entry_id && before.milestone_id === requested.milestone_id)
    return requested
  const [found] = await listEntriesOfDrafts(trx, userId, entry ? [entry] : [])
  const milestones = [requested.milestone_id, found?.milestone_id ?? null].filter((one) => one !== null)
  const writable = new Set(
    (await listMilestonesWithRole(trx, userId, milestones))
      .filter(({ role }) => can({ role, isPublic: false }, 'content:edit'))
      .map(({ milestoneId }) => milestoneId),
  )
  const mayEdit = found && writable.has(found.milestone_id)
  return {
    entry_id: mayEdit ? found.id : requested.entry_id && (before?.entry_id ?? null),
    milestone_id:
      requested.milestone_id &&
      (writable.has(requested.milestone_id) ? requested.milestone_id : (before?.milestone_id ?? null)),
  }
}

async function loadReferences(
  db: Db,
  userId: string,
  rows: readonly Pick<DraftRecord, 'entry_id' | 'milestone_id'>[],
): Promise<ReferenceMaps> {
  const entries = await listEntriesOfDrafts(
    db,
    userId,
    rows.flatMap(({ entry_id }) => entry_id ?? []),
  )
  const milestones = new Set([
    ...entries.map(({ milestone_id }) => milestone_id),
    ...rows.flatMap(({ milestone_id }) => milestone_id ?? []),
  ])
  const found = await listMilestonesWithRole(db, userId, [...milestones])
  return {
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    milestones: new Map(found.map((milestone) => [milestone.milestoneId, milestone])),
  }
}

async function presentOne(db: Db, userId: string, row: DraftRecord): Promise<Draft> {
  return draftPresenter(await loadReferences(db, userId, [row])).whole(row)
}

async function stale(db: Db, userId: string, row: DraftRecord | undefined): Promise<AppError> {
  if (!row) return notFound('Draft')
  return new AppError('stale', 'This draft was changed on another device', {
    current: await presentOne(db, userId, row),
  })
}

/** Returns the error if another person has a draft with this id, or the caller another draft of the entry. */
async function taken(db: Db, userId: string, draftId: string, entryId: string | null): Promise<AppError> {
  const other =
    (await findDraft(db, userId, { id: draftId })) ??
    (entryId ? await findDraft(db, userId, { entry_id: entryId }) : undefined)
  return stale(db, userId, other)
}

const tooMany = () => conflict(`You have ${DRAFTS_MAX} drafts already. Discard one that you no longer need.`)
