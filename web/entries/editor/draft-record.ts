import { z } from 'zod'
import type { Draft } from '#contract/drafts.ts'
import type { SyncedText, SyncStart } from './draft-status.ts'

/** Which draft of the server the text belongs to that this browser keeps, and what both knew last of each other. */
const draftRecord = z.object({
  id: z.string(),
  /** Of the server's draft, as acknowledged last; absent before the first time. */
  version: z.number().optional(),
  /** The digest of the text that was acknowledged last. */
  saved: z.string().optional(),
  /** When that text was sent. */
  heldAt: z.number().optional(),
  /** That of the text that was sent last, and when. */
  sent: z.string().optional(),
  sentAt: z.number().optional(),
  /** When this browser stored its text last. */
  storedAt: z.number().optional(),
})
export type DraftRecord = z.infer<typeof draftRecord>

/** Whose record it is, and of which entry; `new` of the next new one. */
export type DraftSlot = { personId: string | undefined; entryId: string | undefined }

const keyOf = ({ personId, entryId }: DraftSlot) => `draftSync/${personId}/${entryId ?? 'new'}`

export function readRecord(slot: DraftSlot): DraftRecord | null {
  try {
    return draftRecord.parse(JSON.parse(localStorage.getItem(keyOf(slot)) ?? 'null'))
  } catch {
    // There is none, or the browser forbids storage.
    return null
  }
}

/** Without the record, the server's draft is found as one that another device wrote: nothing depends on its being stored. */
export function storeRecord(slot: DraftSlot, record: DraftRecord): void {
  try {
    localStorage.setItem(keyOf(slot), JSON.stringify(record))
  } catch {
    // The browser is full or forbids storage.
  }
}

/** Notes that this browser has stored its text just now. */
export function noteStored(slot: DraftSlot): void {
  const record = readRecord(slot)
  if (record) storeRecord(slot, { ...record, storedAt: Date.now() })
}

export function removeRecord(slot: DraftSlot): void {
  try {
    localStorage.removeItem(keyOf(slot))
  } catch {
    // A browser that forbids storage has none.
  }
}

/** Returns a 53-bit digest of a text, by which the server's draft is compared with what was sent. */
export function digestOf({ title, content, tags }: SyncedText): string {
  const text = JSON.stringify([title, content, tags])
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & b) + (a >>> 0)).toString(36)
}

/** What the editor starts with: the text of this browser or the server's, and beside it a text of another device. */
export type Beginning = {
  text: 'local' | 'server' | 'none'
  sync: Omit<SyncStart, 'id'> & { id?: string }
  other?: Draft
}

type Known = {
  local: SyncedText | null
  record: DraftRecord | null
  /** The server's draft; null where there is none, undefined where that could not be asked. */
  server: Draft | null | undefined
  /** Whether an entry may have been created from it, which is found again under its key. */
  isUnsettled?: boolean
}

/** Decides which text the editor starts with. None is dropped that is not held elsewhere. */
export function beginWith({ local, record, server, isUnsettled = false }: Known): Beginning {
  const digest = local && digestOf(local)
  if (server === undefined) return offline(local, record, digest)
  if (server === null) return withoutServer(local, record, digest, isUnsettled)
  const known = { id: server._id, version: server.version }
  const fromServer: Beginning = {
    text: 'server',
    sync: { ...known, savedAt: server.savedAt, isStored: true },
  }
  const fromHere: Beginning = { text: 'local', sync: { ...known, isStored: false } }
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

/** Whether the server acknowledged a later text of this browser than the one that the browser stored last. */
const isOvertaken = ({ storedAt, heldAt }: DraftRecord) => heldAt !== undefined && (storedAt ?? 0) < heldAt

/**
 * Whether a text of the server has everything that a text of this browser has. So it is where the browser was killed before
 * what it noted last was on the disk.
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

function offline(local: SyncedText | null, record: DraftRecord | null, digest: string | null): Beginning {
  if (!local) return { text: 'none', sync: { isStored: true } }
  if (!record) return { text: 'local', sync: { isStored: false } }
  const { id, version } = record
  // Without a version, it replaces nothing that the server has acknowledged since.
  if (isOvertaken(record) && record.saved !== digest) return { text: 'local', sync: { id, isStored: false } }
  return { text: 'local', sync: { id, version, isStored: version !== undefined && record.saved === digest } }
}

function withoutServer(
  local: SyncedText | null,
  record: DraftRecord | null,
  digest: string | null,
  isUnsettled: boolean,
): Beginning {
  // What the server had in full was saved or discarded on another device since; or here, which its writer does not know.
  const hasEnded =
    record?.version !== undefined && ((record.saved === digest && !isUnsettled) || isOvertaken(record))
  if (!local || hasEnded) return { text: 'none', sync: { isStored: true } }
  return { text: 'local', sync: { isStored: false } }
}

/** The saves of composers, which go on when a composer is left, by what they save. */
const saves = new Map<string, Promise<unknown>>()

const slotOf = ({ personId, entryId }: DraftSlot) => JSON.stringify([personId, entryId])

/** Returns the save of an entry, or of a new one, that is in progress. */
export const saveInProgress = (slot: DraftSlot): Promise<unknown> | undefined => saves.get(slotOf(slot))

/** Notes that an entry is being saved, until `save` settles, which it returns. */
export function noteSave<T>(slot: DraftSlot, save: Promise<T>): Promise<T> {
  const key = slotOf(slot)
  const noted = save.finally(() => {
    if (saves.get(key) === noted) saves.delete(key)
  })
  saves.set(key, noted)
  return noted
}
