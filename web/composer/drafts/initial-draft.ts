import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#contract/drafts.ts'
import { ApiError } from '#web/api/api-error.ts'
import { exchange } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { discardDraft, readDraft, readDraftOf } from '#web/drafts/queries.ts'
import { type DraftKey, NEW_ENTRY, removeDraft, saveInProgress } from '#web/saving/drafts.ts'
import { claimChanges, clearChanges, isUnsettled } from '#web/saving/form-changes.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { chooseInitialDraft, type InitialDraft, NO_DRAFT } from './choose-draft.ts'
import { digestOf } from './draft-sync.ts'
import { type DraftOrigin, entryOf, readEntryDraft, storeEntryDraft, textOf } from './entry-draft.ts'
import { previousComposerSettled } from './use-entry-draft.ts'

/** The timeout for the server's draft, after which the composer uses the text of this browser. */
const WAIT_MS = 3_000

type DraftRequest = {
  key: DraftKey
  /** The milestone in which the composer was opened, with which a draft from another device is stored here. */
  origin: DraftOrigin
  /** The draft of a new entry to continue. */
  draftId: string | undefined
}

/** Returns the initial draft of the composer; undefined while it is loaded from the server. */
export function useInitialDraft(draftRequest: DraftRequest) {
  const { key, draftId, origin } = draftRequest
  // A composer that was closed during a save deletes its draft when the save has succeeded, and may have to restore it.
  const [isAfterSave] = useState(() => saveInProgress(key) !== undefined)
  // A new entry without a record in this browser needs no request.
  const [known] = useState(() =>
    !isAfterSave && isOfThisBrowser(draftRequest)
      ? chooseInitialDraft({ ...knownOf(key), server: null })
      : undefined,
  )
  // The person may choose a draft afterwards.
  const local = draftId === undefined ? known : undefined
  const query = useQuery({
    queryKey: ['initial draft', key, draftId, origin.milestoneId],
    queryFn: ({ signal }) => loadInitialDraft(draftRequest, () => signal.throwIfAborted()),
    enabled: local === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return {
    initialDraft: local ?? query.data,
    isAfterSave,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

/** Whether the server knows nothing of the draft of a new entry. */
const isOfThisBrowser = ({ key, draftId }: DraftRequest) =>
  draftId === undefined && storedCopy(key) === undefined && sentEntry(key) === undefined

const storedCopy = (key: DraftKey) => readEntryDraft(key)?.copy

/** Returns the entry that the composer changes, or has sent. */
const sentEntry = (key: DraftKey) => entryOf(key) ?? readEntryDraft(key)?.id

const knownOf = (key: DraftKey) => ({
  local: readEntryDraft(key),
  isUnsettled: isUnsettled(sentEntry(key)),
})

/** Chooses the initial text of the composer, and stores it in this browser. Changes nothing more once `check` throws. */
export async function loadInitialDraft(draftRequest: DraftRequest, check: () => void): Promise<InitialDraft> {
  const { key, draftId } = draftRequest
  await saveInProgress(key)
  // An earlier page may have sent the entry: what is not on its way to the server now waits for this composer.
  const sent = sentEntry(key)
  if (sent !== undefined) await claimChanges(sent)
  check()
  const inTime = AbortSignal.timeout(WAIT_MS)
  await previousComposerSettled()
  check()
  if (draftId !== undefined && storedCopy(key)?.id !== draftId) {
    const draft = await readToContinue(key, draftId, inTime)
    check()
    return continueDraft(draftRequest, draft)
  }
  const server = await serverDraft(key, inTime)
  check()
  const initialDraft = chooseInitialDraft({ ...knownOf(key), server })
  if (initialDraft.text === 'none') removeStored(key)
  return initialDraft.text === 'server' && server
    ? storeServerDraft({ ...draftRequest, draftId: undefined }, server, initialDraft)
    : initialDraft
}

/** Returns the server's draft; null if there is none, undefined if the request fails. */
async function serverDraft(key: DraftKey, signal: AbortSignal): Promise<Draft | null | undefined> {
  const [id, entryId] = [storedCopy(key)?.id, entryOf(key)]
  try {
    if (entryId !== undefined) return await readDraftOf(entryId, signal)
    return id === undefined ? null : await readDraft(id, signal)
  } catch {
    // The composer can start with the text of this browser.
    return undefined
  }
}

/**
 * Returns a draft of a new entry; null if there is none any more. The browser can store only one, so its current one is sent to the
 * server first. Throws if that fails.
 */
async function readToContinue(key: DraftKey, draftId: string, signal: AbortSignal): Promise<Draft | null> {
  await sendStoredDraft(key, signal)
  return readDraft(draftId, signal)
}

/** Continues a draft of a new entry, whose text replaces that of this browser. */
function continueDraft(draftRequest: DraftRequest, server: Draft | null): InitialDraft {
  if (!server) {
    removeStored(draftRequest.key)
    toast.info('This draft was saved or discarded elsewhere.')
    return NO_DRAFT
  }
  return storeServerDraft(draftRequest, server, chooseInitialDraft({ local: null, server }))
}

/** Sends this browser's draft of a new entry to the server, unless the server has it. Throws if that fails. */
async function sendStoredDraft(key: DraftKey, signal: AbortSignal): Promise<void> {
  const stored = readEntryDraft(key)
  if (!stored || stored.copy?.isSaved) return
  const { text, origin, copy, choices } = stored
  const { day, coverFile } = choices
  const body = {
    ...text,
    milestone: origin?.milestoneId ?? null,
    ...(day !== undefined && { happenedAt: `${day}T12:00:00Z`, happenedZone: 'UTC' }),
    coverFile: coverFile === null ? 'none' : (coverFile ?? null),
  }
  const send = (draftId: string, version?: number) =>
    exchange(
      'saveDraft',
      { params: { draftId }, body },
      { signal, ...(version !== undefined && { ifMatch: version }) },
    )
  await send(copy?.id ?? newId(), copy?.version).catch((error: unknown) => {
    if (!(error instanceof ApiError) || (error.status !== 412 && error.status !== 404)) throw error
    const current = error.current as Draft | undefined
    // The response to an earlier request was lost.
    if (copy && current?._id === copy.id && copy.sent?.includes(digestOf(current)))
      return send(copy.id, current.version)
    // It has another text there, or has ended.
    return send(newId())
  })
}

/** Moves the stored draft of a new entry from this browser to the server's drafts. Throws if that fails. */
export async function keepStoredDraft(key: DraftKey): Promise<InitialDraft> {
  await sendStoredDraft(key, AbortSignal.timeout(WAIT_MS))
  return removeStored(key)
}

/** Discards the stored draft of a new entry, in this browser and on the server. */
export function discardStoredDraft(key: DraftKey): InitialDraft {
  const copy = storedCopy(key)
  if (copy) discardDraft(copy.id).catch(() => undefined) // it may be discarded elsewhere
  return removeStored(key)
}

function removeStored(key: DraftKey): InitialDraft {
  const sent = sentEntry(key)
  if (sent !== undefined) clearChanges({}, sent)
  removeDraft(key)
  return NO_DRAFT
}

/** Stores the server's draft in this browser, where the form reads it. */
function storeServerDraft(
  { key, draftId, origin }: DraftRequest,
  server: Draft,
  initialDraft: InitialDraft,
): InitialDraft {
  const { version, target, milestone, coverFile } = server
  const stored = readEntryDraft(key)
  const text = textOf(server)
  const choices = {
    ...(server.happenedOn && { day: server.happenedOn }),
    ...(coverFile && { coverFile: coverFile === 'none' ? null : coverFile }),
  }
  const isMoved = target && milestone && target.milestoneId !== milestone._id
  const copy = { id: server._id, version, isSaved: true }
  const isStored = storeEntryDraft(
    key,
    key.form === NEW_ENTRY
      ? {
          text,
          choices,
          // The person chose the draft here, or is asked where to save it.
          origin: draftId === undefined ? (stored?.origin ?? originOf(server) ?? origin) : origin,
          id: draftId === undefined ? stored?.id : undefined,
          copy,
        }
      : {
          text,
          choices: { ...choices, ...(isMoved && { place: target }) },
          version: server.baseVersion ?? 1,
          copy,
        },
  )
  // If the browser cannot store it, the draft is shown beside the form.
  return isStored ? initialDraft : { ...NO_DRAFT, other: server }
}

const originOf = ({ project, milestone }: Draft): DraftOrigin | null =>
  project &&
  milestone && {
    projectId: project._id,
    milestoneId: milestone._id,
    milestoneTitle: milestone.title,
    projectTitle: project.title,
  }
