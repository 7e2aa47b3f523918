import type { Draft } from '#contract/drafts.ts'
import type { ServerCopy } from '#web/saving/drafts.ts'
import { digestOf, type SyncedText, type SyncStart } from './draft-sync.ts'

/** The initial draft of the composer: the text of this browser or the server, and a text of another device to show beside it. */
export type InitialDraft = {
  text: 'local' | 'server' | 'none'
  sync: Omit<SyncStart, 'id'> & { id?: string }
  other?: Draft
}

type Local = { text: SyncedText; copy?: ServerCopy | undefined }

type Known = {
  /** The text in this browser. */
  local: Local | null
  /** The server's draft; null if there is none, undefined if the request failed. */
  server: Draft | null | undefined
  /** Whether the outcome of saving it is unknown. */
  isUnsettled?: boolean
}

export const NO_DRAFT: InitialDraft = { text: 'none', sync: { isSaved: true } }

/** Chooses the initial text of the composer. A text is dropped only if it is stored elsewhere. */
export function chooseInitialDraft({ local, server, isUnsettled = false }: Known): InitialDraft {
  if (server) return withServer(local, server)
  if (local === null) return NO_DRAFT
  const { copy } = local
  if (server === undefined) return { text: 'local', sync: { isSaved: false, ...copy } }
  // A completely synchronized text was since saved or discarded, on another device or here with a lost response.
  return copy?.isSaved && !isUnsettled ? NO_DRAFT : { text: 'local', sync: { isSaved: false } }
}

function withServer(local: Local | null, server: Draft): InitialDraft {
  const known = { id: server._id, version: server.version }
  const fromServer: InitialDraft = {
    text: 'server',
    sync: { ...known, savedAt: server.savedAt, isSaved: true },
  }
  const there = digestOf(server)
  if (local === null || digestOf(local.text) === there) return fromServer
  const { text, copy } = local
  if (copy?.id === server._id) {
    const { version, sent = [], isSaved } = copy
    if (version === server.version || sent.includes(there))
      return { text: 'local', sync: { ...known, isSaved: false, sent } }
    if (isSaved || isWithin(server, text)) return fromServer
  }
  return { text: 'local', sync: { isSaved: false, isFork: true }, other: server }
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
