import type { Draft } from '#contract/drafts.ts'
import { digestOf, type ServerCopy } from '#web/saving/server-copy.ts'
import type { SyncedText, SyncStart } from './draft-status.ts'

/** The initial draft of the composer: the text of this browser or the server, and a text of another device to show beside it. */
export type InitialDraft = {
  text: 'local' | 'server' | 'none'
  sync: Omit<SyncStart, 'id'> & { id?: string }
  other?: Draft
}

type Local = { text: SyncedText; at: number }

type Known = {
  /** The text in this browser, and when it was stored. */
  local: Local | null
  copy: ServerCopy | null
  /** The server's draft; null if there is none, undefined if the request failed. */
  server: Draft | null | undefined
  /** Whether the outcome of saving it is unknown. */
  isUnsettled?: boolean
}

export const NO_DRAFT: InitialDraft = { text: 'none', sync: { isStored: true } }

/** Chooses the initial text of the composer. A text is dropped only if it is stored elsewhere. */
export function chooseInitialDraft({ local, copy, server, isUnsettled = false }: Known): InitialDraft {
  if (server) return withServer(local, copy, server)
  if (local === null) return NO_DRAFT
  const isOld = copy !== null && isOvertaken(local, copy)
  const isLast = copy?.saved === digestOf(local.text)
  const isStored = isLast && copy.version !== undefined
  if (server === undefined) {
    // Without a version, it does not overwrite a text that the server has acknowledged since.
    const known = copy && { id: copy.id, version: isOld && !isLast ? undefined : copy.version }
    return { text: 'local', sync: { ...known, isStored, ...sentBefore(local, copy) } }
  }
  // A completely synchronized text was since saved or discarded, on another device or here with a lost response.
  const hasEnded = copy?.version !== undefined && ((isLast && !isUnsettled) || isOld)
  return hasEnded ? NO_DRAFT : { text: 'local', sync: { isStored: false } }
}

function withServer(local: Local | null, copy: ServerCopy | null, server: Draft): InitialDraft {
  const known = { id: server._id, version: server.version }
  const fromServer: InitialDraft = {
    text: 'server',
    sync: { ...known, savedAt: server.savedAt, isStored: true },
  }
  const fromHere: InitialDraft = {
    text: 'local',
    sync: { ...known, isStored: false, ...sentBefore(local, copy) },
  }
  const there = digestOf(server)
  const digest = local && digestOf(local.text)
  if (local === null || digest === there) return fromServer
  if (copy?.id === server._id) {
    if (isOvertaken(local, copy)) return fromServer
    if (copy.version === server.version) return fromHere
    if (copy.sent === there) return local.at > (copy.sentAt ?? 0) ? fromHere : fromServer
    if (copy.saved === digest || isWithin(server, local.text)) return fromServer
  }
  return { text: 'local', sync: { isStored: false, isFork: true }, other: server }
}

/** Whether the server has acknowledged a later text of this browser than the last stored one. */
const isOvertaken = ({ at }: Local, { heldAt }: ServerCopy) => heldAt !== undefined && at < heldAt

/** Returns the text that was sent before the stored one, if its response may have been lost. */
function sentBefore(local: Local | null, copy: ServerCopy | null): { sent?: string } {
  const { sent, sentAt = 0, saved } = copy ?? {}
  return sent !== undefined && sent !== saved && local && local.at > sentAt ? { sent } : {}
}

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
