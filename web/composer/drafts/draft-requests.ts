import type { DraftFields } from '#contract/drafts.ts'
import { exchange } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { discardDraft } from '#web/drafts/queries.ts'
import { type DraftKey } from '#web/saving/drafts.ts'
import { digestOf, readCopy, removeCopy, type ServerCopy, storeCopy } from '#web/saving/server-copy.ts'
import type { SyncDeps } from './draft-sync.ts'

/** The browser's limit for all `keepalive` requests together. */
const KEEPALIVE_BYTES = 60_000
const TIMEOUT_MS = 20_000

type Requests = Pick<SyncDeps<DraftFields>, 'send' | 'discard' | 'newId' | 'onProgress'>

/** Returns how a draft is sent to the server, and what this browser knows about it there. */
export const draftRequests = (key: DraftKey): Requests => ({
  async send(id, fields, { ifMatch, isFork, keepalive, signal }) {
    const body = isFork ? { ...fields, entry: null, baseVersion: null } : fields
    const limits = { signal, timeoutMs: TIMEOUT_MS, keepalive: keepalive && isShort(body) }
    return exchange(
      'saveDraft',
      { params: { draftId: id }, body },
      { ...limits, ...(ifMatch !== undefined && { ifMatch }) },
    )
  },
  // It may not exist, if no request for it has arrived.
  discard: (id) => discardDraft(id).catch(() => undefined),
  newId,
  onProgress({ id, version, sent, saved }) {
    const before = readCopy(key)
    const known: ServerCopy = before?.id === id ? before : { id }
    if (sent) storeCopy(key, { ...known, version, sent: digestOf(sent), sentAt: Date.now() })
    else if (saved) storeCopy(key, { ...known, version, saved: digestOf(saved), heldAt: known.sentAt })
    else removeCopy(key)
  },
})

const isShort = (body: DraftFields) => {
  const { length } = body.content
  return length < KEEPALIVE_BYTES && new TextEncoder().encode(JSON.stringify(body)).length < KEEPALIVE_BYTES
}
