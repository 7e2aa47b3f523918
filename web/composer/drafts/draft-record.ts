import { z } from 'zod'
import type { Draft } from '#contract/drafts.ts'
import { readStoredAs, store } from '#web/api/browser-storage.ts'
import { digestOf } from '#web/api/text-digest.ts'
import type { SyncedText, SyncStart } from './draft-status.ts'

/** The state of synchronization between the text in this browser and its draft on the server. */
const draftRecord = z.object({
  id: z.string(),
  /** The last acknowledged version of the server's draft; absent before the first acknowledgement. */
  version: z.number().optional(),
  /** The digest of the last acknowledged text. */
  saved: z.string().optional(),
  /** When that text was sent. */
  heldAt: z.number().optional(),
  /** The digest of the last sent text, and the time. */
  sent: z.string().optional(),
  sentAt: z.number().optional(),
  /** When this browser last stored its text. */
  storedAt: z.number().optional(),
})
export type DraftRecord = z.infer<typeof draftRecord>

/** The person and the entry of a record; without an entry, that of a new one. */
export type DraftSlot = { personId: string | undefined; entryId: string | undefined }

const keyOf = ({ personId, entryId }: DraftSlot) => `draftSync/${personId}/${entryId ?? 'new'}`

export const readRecord = (slot: DraftSlot): DraftRecord | null => readStoredAs(keyOf(slot), draftRecord)

/** Storing may fail: without the record, the server's draft is treated as one of another device. */
export const storeRecord = (slot: DraftSlot, record: DraftRecord): void =>
  void store(keyOf(slot), JSON.stringify(record))

/** Records that this browser has just stored its text. */
export function markStored(slot: DraftSlot): void {
  const record = readRecord(slot)
  if (record) storeRecord(slot, { ...record, storedAt: Date.now() })
}

export const removeRecord = (slot: DraftSlot): void => void store(keyOf(slot), null)

/** The initial draft of the editor: the text of this browser or the server, and a text of another device to show beside it. */
export type InitialDraft = {
  text: 'local' | 'server' | 'none'
  sync: Omit<SyncStart, 'id'> & { id?: string }
  other?: Draft
}

type Known = {
  local: SyncedText | null
  record: DraftRecord | null
  /** The server's draft; null if there is none, undefined if the request failed. */
  server: Draft | null | undefined
  /** Whether an entry may have been created from it; the idempotency key finds it. */
  isUnsettled?: boolean
}

/** Chooses the initial text of the editor. A text is dropped only if it is stored elsewhere. */
export function chooseInitialDraft({ local, record, server, isUnsettled = false }: Known): InitialDraft {
  const digest = local && digestOf(local)
  if (server === undefined) return offline(local, record, digest)
  if (server === null) return withoutServer(local, record, digest, isUnsettled)
  const known = { id: server._id, version: server.version }
  const fromServer: InitialDraft = {
    text: 'server',
    sync: { ...known, savedAt: server.savedAt, isStored: true },
  }
  const fromHere: InitialDraft = { text: 'local', sync: { ...known, isStored: false } }
  const there = digestOf(server)
  if (local === null || digest === there) return fromServer
  if (record?.id === server._id) {
    if (isOvertaken(record)) return fromServer
    if (record.version === server.version) return fromHere
    if (record.sent === there) return (record.storedAt ?? 0) > (record.sentAt ?? 0) ? fromHere : fromServer
    if (record.saved === digest || isWithin(server, local)) return fromServer
  }
  return { text: 'local', sync: { isStored: false, isFork: true }, other: server }
}

/** Whether the server has acknowledged a later text of this browser than the last stored one. */
const isOvertaken = ({ storedAt, heldAt }: DraftRecord) => heldAt !== undefined && (storedAt ?? 0) < heldAt

/**
 * Whether a text of the server contains the text of this browser, as after the browser was killed before
 * its last record was on the disk.
 */
function isWithin(server: SyncedText, local: SyncedText): boolean {
  const { title, content } = local
  const [whole, added] = [server.content, server.content.length - content.length]
  let same = 0
  while (same < content.length && content[same] === whole[same]) same += 1
  return (
    added >= 0 &&
    whole.endsWith(content.slice(same)) &&
    server.title.startsWith(title) &&
    local.tags.every((tag) => server.tags.includes(tag))
  )
}

function offline(local: SyncedText | null, record: DraftRecord | null, digest: string | null): InitialDraft {
  if (!local) return { text: 'none', sync: { isStored: true } }
  if (!record) return { text: 'local', sync: { isStored: false } }
  const { id, version } = record
  // Without a version, it does not overwrite a text that the server has acknowledged since.
  if (isOvertaken(record) && record.saved !== digest) return { text: 'local', sync: { id, isStored: false } }
  return { text: 'local', sync: { id, version, isStored: version !== undefined && record.saved === digest } }
}

function withoutServer(
  local: SyncedText | null,
  record: DraftRecord | null,
  digest: string | null,
  isUnsettled: boolean,
): InitialDraft {
  // A completely synchronized text was since saved or discarded, on another device or here with a lost response.
  const hasEnded =
    record?.version !== undefined && ((record.saved === digest && !isUnsettled) || isOvertaken(record))
  if (!local || hasEnded) return { text: 'none', sync: { isStored: true } }
  return { text: 'local', sync: { isStored: false } }
}

/** The running saves of composers by slot, which continue after a composer is closed. */
const saves = new Map<string, Promise<unknown>>()

const slotOf = ({ personId, entryId }: DraftSlot) => JSON.stringify([personId, entryId])

/** Returns the running save of an entry or a new one. */
export const saveInProgress = (slot: DraftSlot): Promise<unknown> | undefined => saves.get(slotOf(slot))

/** Tracks a save until it settles, and returns it. */
export function trackSave<T>(slot: DraftSlot, save: Promise<T>): Promise<T> {
  const key = slotOf(slot)
  const noted = save.finally(() => {
    if (saves.get(key) === noted) saves.delete(key)
  })
  saves.set(key, noted)
  return noted
}
