import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Draft, DraftFields } from '#contract/drafts.ts'
import type { EntryFields } from '#contract/entries.ts'
import { unreachable } from '#web/api/api-error.ts'
import { exchange, watchSession } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { happenedOn } from '#web/composer/shell/date-and-state.ts'
import { discardDraft } from '#web/drafts/queries.ts'
import {
  type DraftKey,
  readCopy,
  removeCopy,
  type ServerCopy,
  storageKey,
  storeCopy,
} from '#web/saving/drafts.ts'
import { digestOf } from '#web/saving/text-digest.ts'
import type { InitialDraft } from './choose-draft.ts'
import type { DraftStatus } from './draft-status.ts'
import { DraftSync, type SyncDeps } from './draft-sync.ts'
import { type DraftOrigin, type EntryChoices, type EntryText, entryOf } from './entry-draft.ts'

/** The browser's limit for all `keepalive` requests together. */
const KEEPALIVE_BYTES = 60_000
const TIMEOUT_MS = 20_000
const SENT_MAX = 5

/** The digests of the texts that this page has sent, by draft. */
const sentHere = new Map<string, string[]>()

let leaving: Promise<unknown> = Promise.resolve()

/** Resolves once the previous composer has sent its last change. */
export const previousComposerSettled = () => leaving

type Options = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  draftKey: DraftKey
  initialDraft: InitialDraft
  /** The version of the entry that is being edited. */
  baseVersion: number
  /** The milestone to save the entry in. */
  origin: DraftOrigin
  choices: EntryChoices
  /** The time zone in which the day was chosen. */
  zone: string
  isDirty: () => boolean
  storeLocally: () => boolean
}

/** Synchronizes the text of the composer with a draft on the server, besides the draft in the browser. */
export function useDraftSync(options: Options) {
  const { draftKey, initialDraft } = options
  const [status, setStatus] = useState<DraftStatus>({ kind: 'none' })
  const [other, setOther] = useState<Draft | null>(initialDraft.other ?? null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const [sync] = useState(
    // oxlint-disable-next-line react/refs -- it is read in timers and after requests, never while rendering
    () =>
      new DraftSync(
        depsOf(draftKey, () => latest.current, { setStatus, setOther }),
        startOf(initialDraft),
      ),
  )

  const isOver = useRef(false)
  const [isSessionOver] = useState(watchSession)
  const leave = useEffectEvent(() => {
    if (isOver.current) return
    if (isSessionOver()) sync.stop()
    else leaving = sync.leave()
  })

  useEffect(() => {
    sync.start()
    const hide = () => {
      if (document.visibilityState === 'hidden') void sync.flush(true)
    }
    const online = () => sync.retry()
    const stored = ({ key, storageArea }: StorageEvent) => {
      if (storageArea === localStorage && key === storageKey(draftKey)) sync.lostLocal()
    }
    addEventListener('online', online)
    addEventListener('storage', stored)
    addEventListener('pagehide', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('online', online)
      removeEventListener('storage', stored)
      removeEventListener('pagehide', hide)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [sync, draftKey])

  return {
    sync,
    status,
    /** The text of another device; the text here is then a separate draft. */
    other,
    /** Returns the draft on the screen. */
    fields: () => fieldsOf(latest.current),
    /** The entry could not be saved. A composer that was closed meanwhile sends its last change now. */
    resume() {
      leaving = Promise.all([leaving, sync.resume()])
    },
    /** The entry was saved. */
    end() {
      isOver.current = true
      sync.end()
      removeCopy(draftKey)
    },
  }
}

const startOf = ({ sync }: InitialDraft) => ({ ...sync, id: sync.id ?? newId() })

type Listeners = { setStatus: (status: DraftStatus) => void; setOther: (other: Draft) => void }

function depsOf(
  draftKey: DraftKey,
  current: () => Options,
  { setStatus, setOther }: Listeners,
): SyncDeps<DraftFields> {
  return {
    read: () => fieldsOf(current()),
    isDirty: () => current().isDirty(),
    storeLocally: () => current().storeLocally(),
    async send(id, fields, { ifMatch, isFork, keepalive, signal }) {
      const body = isFork ? { ...fields, entry: null, baseVersion: null } : fields
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
      const stop = () => late.abort()
      signal.addEventListener('abort', stop)
      try {
        const options = { keepalive: keepalive && isShort(body), signal: late.signal }
        return await exchange(
          'saveDraft',
          { params: { draftId: id }, body },
          ifMatch === undefined ? options : { ...options, ifMatch },
        )
      } catch (error) {
        throw late.signal.aborted ? unreachable(error) : error
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
      }
    },
    discard: (id) => void discardDraft(draftKey.personId, id),
    newId,
    onStatus: setStatus,
    knows: (draft) => sentHere.get(draft._id)?.includes(digestOf(draft)) ?? false,
    onOther: setOther,
    onProgress({ id, version, sent, saved }) {
      const before = readCopy(draftKey)
      const known: ServerCopy = before?.id === id ? before : { id }
      if (sent) {
        const digest = digestOf(sent)
        sentHere.set(id, [...(sentHere.get(id) ?? []), digest].slice(-SENT_MAX))
        storeCopy(draftKey, { ...known, version, sent: digest, sentAt: Date.now() })
      } else if (saved)
        storeCopy(draftKey, { ...known, version, saved: digestOf(saved), heldAt: known.sentAt })
      else removeCopy(draftKey)
    },
  }
}

function fieldsOf({ form, draftKey, baseVersion, origin, choices, zone }: Options): DraftFields {
  const { title, content, tags } = form.getValues()
  const entryId = entryOf(draftKey)
  return {
    title,
    content,
    tags,
    entry: entryId ?? null,
    baseVersion: entryId === undefined ? null : baseVersion,
    // An edit follows its entry when that is moved, unless another milestone was chosen.
    milestone: entryId === undefined ? origin.milestoneId : (choices.place?.milestoneId ?? null),
    ...(choices.day !== undefined && happenedOn(choices.day, zone)),
    coverFile: choices.coverFile === null ? 'none' : (choices.coverFile ?? null),
  }
}

const isShort = (body: DraftFields) => {
  const { length } = body.content
  return length < KEEPALIVE_BYTES && new TextEncoder().encode(JSON.stringify(body)).length < KEEPALIVE_BYTES
}
