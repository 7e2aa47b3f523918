import { use, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Draft, DraftFields } from '#contract/drafts.ts'
import type { EntryFields } from '#contract/entries.ts'
import { exchange, watchSession } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { happenedOn } from '#web/composer/shell/date-and-state.ts'
import { discardDraft } from '#web/drafts/queries.ts'
import { useFormDraft } from '#web/forms/use-form-draft.ts'
import { useSession } from '#web/identity/session.tsx'
import { type DraftKey, isReplaced, removeDraft, type ServerCopy } from '#web/saving/drafts.ts'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import type { InitialDraft } from './choose-draft.ts'
import type { DraftStatus } from './draft-status.ts'
import { DraftSync, type SyncDeps } from './draft-sync.ts'
import {
  type DraftOrigin,
  type EntryChoices,
  type EntryText,
  entryKey,
  storeEntryDraft,
  textOf,
} from './entry-draft.ts'

/** The browser's limit for all `keepalive` requests together. */
const KEEPALIVE_BYTES = 60_000
const TIMEOUT_MS = 20_000

let leaving: Promise<unknown> = Promise.resolve()

/** Resolves once the previous composer has sent its last change. */
export const previousComposerSettled = () => leaving

type DraftOptions = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  entryId: string | undefined
  /** The version of the entry that is being edited. */
  version: number
  /** The milestone of a new entry. */
  origin: DraftOrigin
  choices: EntryChoices
  changes: FormChanges
  initialDraft: InitialDraft
  isDirty: () => boolean
}

/**
 * Stores a draft of the entry in this browser and on the server: one for a new entry and one for each existing entry.
 */
export function useEntryDraft(options: DraftOptions) {
  const { form, entryId, origin, choices, initialDraft, isDirty } = options
  const { user } = useSession()
  // The person who opened the composer; when the session ends, the composer is unmounted with it.
  const [key] = useState(() => entryKey(user?._id, entryId))
  const zone = zoneOf(use(DateContext))

  /** `isMirrored`: under the specified key, too, which is written after a longer pause. */
  function storeLocally(copy: ServerCopy, isMirrored: boolean): boolean {
    const text = textOf(form.getValues())
    const { day, coverFile } = choices
    const draft = entryId
      ? { text, choices, version: options.version, copy }
      : { text, choices: { day, coverFile }, origin, id: options.changes.id, copy }
    return storeEntryDraft(key, draft, isMirrored)
  }

  const fields = () => fieldsOf(options, zone)
  const { sync, status, other, end } = useDraftSync(key, initialDraft, {
    read: fields,
    isDirty,
    storeLocally,
  })
  const store = () => sync.store(true)
  const local = useFormDraft({
    form,
    draftKey: key,
    isDirty,
    extra: JSON.stringify([choices, origin.milestoneId]),
    store,
    onChange: () => sync.changed(),
  })

  return {
    status,
    /** The text of another device; the text here is then a separate draft. */
    other,
    key,
    /** Returns the draft on the screen. */
    fields,
    /** Stores the text in this browser now. */
    store,
    /** Whether the server has the text on the screen. */
    isOnServer: () => sync.isSaved,
    /** Whether something was typed or chosen that the server did not have when the composer was opened. */
    isTouched: () => sync.isTouched,
    /** The id of the draft, and of the entry that it becomes. */
    id: () => sync.id,
    /** Discards the draft here and on the server. */
    discard() {
      removeDraft(key)
      sync.discard()
    },
    /** The content was saved. */
    end() {
      local.end()
      end()
    },
    /** Stores the text and stops; returns false if the browser could not store it. */
    leave() {
      local.pause()
      return sync.isInBrowser
    },
    /** Called before the entry is saved; resolves to the id of the draft that the save ends. */
    pause: () => sync.pause(),
    /** The entry could not be saved. A composer that was closed meanwhile sends its last change now. */
    resume() {
      leaving = Promise.all([leaving, sync.resume()])
    },
    /** Sends unsent changes now; again as another draft if the previous one has ended. */
    async flush() {
      for (let times = 0; times < 2 && !sync.isSaved; times += 1) await sync.flush()
    },
  }
}

/** Synchronizes what is on the screen with the server as long as the composer is open; `end` ends that once the entry is saved. */
function useDraftSync(
  key: DraftKey,
  initialDraft: InitialDraft,
  screen: Pick<SyncDeps<DraftFields>, 'read' | 'isDirty' | 'storeLocally'>,
) {
  const [status, setStatus] = useState<DraftStatus>({ kind: 'none' })
  const [other, setOther] = useState<Draft | null>(initialDraft.other ?? null)
  const latest = useRef(screen)
  useEffect(() => {
    latest.current = screen
  })
  const [sync] = useState(
    // oxlint-disable-next-line react/refs -- it is read in timers and after requests, never while rendering
    () =>
      new DraftSync<DraftFields>(
        {
          send: sendDraft,
          // It may not exist, if no request for it has arrived.
          discard: (id) => discardDraft(id).catch(() => undefined),
          newId,
          read: () => latest.current.read(),
          isDirty: () => latest.current.isDirty(),
          storeLocally: (...stored) => latest.current.storeLocally(...stored),
          onStatus: setStatus,
          onOther: setOther,
        },
        { ...initialDraft.sync, id: initialDraft.sync.id ?? newId() },
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
    const closed = new AbortController()
    const { signal } = closed
    sync.start()
    const hide = () => {
      if (document.visibilityState === 'hidden') void sync.flush(true)
    }
    addEventListener('online', () => sync.retry(), { signal })
    addEventListener('storage', (event) => isReplaced(key, event) && sync.noteReplaced(), { signal })
    addEventListener('pagehide', hide, { signal })
    document.addEventListener('visibilitychange', hide, { signal })
    return () => {
      closed.abort()
      leave()
    }
  }, [sync, key])

  function end() {
    isOver.current = true
    sync.end()
  }

  return { sync, status, other, end }
}

const sendDraft: SyncDeps<DraftFields>['send'] = (
  draftId,
  fields,
  { ifMatch, isFork, keepalive, signal },
) => {
  const body = isFork ? { ...fields, entry: null, baseVersion: null } : fields
  const options = { signal, timeoutMs: TIMEOUT_MS, keepalive: keepalive && isShort(body) }
  return exchange(
    'saveDraft',
    { params: { draftId }, body },
    { ...options, ...(ifMatch !== undefined && { ifMatch }) },
  )
}

const isShort = (body: DraftFields) => {
  const { length } = body.content
  return length < KEEPALIVE_BYTES && new TextEncoder().encode(JSON.stringify(body)).length < KEEPALIVE_BYTES
}

function fieldsOf({ form, entryId, version, origin, choices }: DraftOptions, zone: string): DraftFields {
  const isNew = entryId === undefined
  return {
    ...textOf(form.getValues()),
    entry: entryId ?? null,
    baseVersion: isNew ? null : version,
    // An edit follows its entry when that is moved, unless another milestone was chosen.
    milestone: isNew ? origin.milestoneId : (choices.place?.milestoneId ?? null),
    ...(choices.day !== undefined && happenedOn(choices.day, zone)),
    coverFile: choices.coverFile === null ? 'none' : (choices.coverFile ?? null),
  }
}
