import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#contract/drafts.ts'
import { exchange } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { digestOf } from '#web/api/text-digest.ts'
import { readEdit, readSentId } from '#web/composer/shell/use-entry-form.ts'
import { discardDraft, readDraft, readDraftOf } from '#web/drafts/queries.ts'
import { formNames, removeFormDraft, storeFormDraft } from '#web/forms/form-drafts.ts'
import { claimChanges, clearChanges, isUnsettled } from '#web/saving/form-changes.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  chooseInitialDraft,
  type DraftSlot,
  type InitialDraft,
  readRecord,
  removeRecord,
  saveInProgress,
  storeRecord,
} from './draft-record.ts'
import {
  type DraftOrigin,
  readDraftOrigin,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft,
  textOf,
} from './entry-draft.ts'
import { previousEditorSettled } from './use-draft-sync.ts'

/** The timeout for the server's draft, after which the editor uses the text of this browser. */
const WAIT_MS = 3_000

type DraftRequest = DraftSlot & {
  /** The milestone in which the editor was opened, with which a draft from another device is stored here. */
  origin: DraftOrigin
  /** The draft of a new entry to continue. */
  draftId: string | undefined
}

/** Returns the initial draft of the editor; undefined while it is loaded from the server. */
export function useInitialDraft(draftRequest: DraftRequest) {
  const { personId, entryId, draftId } = draftRequest
  // A composer that was closed during a save deletes its draft when the save has succeeded, and may have to restore it.
  const [isAfterSave] = useState(() => saveInProgress(draftRequest) !== undefined)
  // A new entry without a record in this browser needs no request.
  const [known] = useState(() =>
    !isAfterSave && hasNoRecord(draftRequest) ? localInitialDraft(draftRequest) : undefined,
  )
  // The person may choose a draft afterwards.
  const local = draftId === undefined ? known : undefined
  const query = useQuery({
    queryKey: ['initial draft', personId, entryId ?? draftId ?? 'new', draftRequest.origin.milestoneId],
    queryFn: ({ signal }) => loadInitialDraft(draftRequest, signal),
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

const hasNoRecord = ({ personId, entryId, draftId }: DraftRequest) =>
  entryId === undefined &&
  draftId === undefined &&
  readRecord({ personId, entryId }) === null &&
  readSentId(personId) === undefined

/** An earlier page may have sent the entry: what is not on its way to the server now waits for this composer. */
async function sentByEarlierPage({ personId, entryId }: DraftSlot): Promise<void> {
  const thing = entryId ?? readSentId(personId)
  if (thing !== undefined) await claimChanges(thing)
}

const storedText = ({ personId, entryId }: DraftSlot) => {
  const stored = entryId === undefined ? readNewEntryDraft(personId) : readEdit(entryId, personId)
  return stored && textOf(stored)
}

const localInitialDraft = (slot: DraftSlot) => chooseInitialDraft({ ...knownOf(slot), server: null })

const knownOf = (slot: DraftSlot) => ({
  local: storedText(slot),
  record: readRecord(slot),
  isUnsettled: isUnsettled(slot.entryId ?? readSentId(slot.personId)),
})

async function loadInitialDraft(draftRequest: DraftRequest, signal: AbortSignal): Promise<InitialDraft> {
  await saveInProgress(draftRequest)
  await sentByEarlierPage(draftRequest)
  signal.throwIfAborted()
  const inTime = withTimeout(signal)
  await previousEditorSettled()
  if (draftRequest.draftId !== undefined) return continueDraft(draftRequest, draftRequest.draftId, inTime)
  const server = await serverDraft(draftRequest, inTime)
  signal.throwIfAborted()
  const initialDraft = chooseInitialDraft({ ...knownOf(draftRequest), server })
  if (initialDraft.text === 'none') removeStored(draftRequest)
  return initialDraft.text === 'server' && server
    ? storeServerDraft(draftRequest, server, initialDraft)
    : initialDraft
}

/** Returns the server's draft; null if there is none, undefined if the request fails. */
async function serverDraft(
  { personId, entryId }: DraftRequest,
  signal: AbortSignal,
): Promise<Draft | null | undefined> {
  const id = readRecord({ personId, entryId })?.id
  try {
    if (entryId !== undefined) return await readDraftOf(personId, entryId, signal)
    return id === undefined ? null : await readDraft(id, signal)
  } catch {
    // The editor can start with the text of this browser.
    return undefined
  }
}

/**
 * Continues a draft of a new entry. The browser can store only one, so its current one is sent to the server first. Throws
 * if that fails.
 */
async function continueDraft(
  draftRequest: DraftRequest,
  draftId: string,
  signal: AbortSignal,
): Promise<InitialDraft> {
  const record = readRecord(draftRequest)
  if (record?.id === draftId) return loadInitialDraft({ ...draftRequest, draftId: undefined }, signal)
  await sendStoredDraft(draftRequest.personId, signal)
  const server = await readDraft(draftId, signal)
  if (!server) {
    removeStored(draftRequest)
    toast.info('This draft was saved or discarded elsewhere.')
    return { text: 'none', sync: { isStored: true } }
  }
  return storeServerDraft(draftRequest, server, chooseInitialDraft({ local: null, record: null, server }))
}

/** Sends this browser's draft of a new entry to the server, unless the server has it. Throws if that fails. */
async function sendStoredDraft(personId: string | undefined, signal: AbortSignal): Promise<void> {
  const slot = { personId, entryId: undefined }
  const [local, record] = [storedText(slot), readRecord(slot)]
  const isHeld = record?.version !== undefined && local !== null && record.saved === digestOf(local)
  if (!local || isHeld) return
  const body = { ...local, milestone: readDraftOrigin()?.milestoneId ?? null }
  await exchange('saveDraft', { params: { draftId: newId() }, body }, { signal })
}

/** Moves the stored draft of a new entry from this browser to the server's drafts. Throws if that fails. */
export async function keepStoredDraft(personId: string | undefined): Promise<InitialDraft> {
  await sendStoredDraft(personId, AbortSignal.timeout(WAIT_MS))
  removeStored({ personId, entryId: undefined })
  return { text: 'none', sync: { isStored: true } }
}

/** Discards the stored draft of a new entry, in this browser and on the server. */
export function discardStoredDraft(personId: string | undefined): InitialDraft {
  const slot = { personId, entryId: undefined }
  const record = readRecord(slot)
  if (record) void discardDraft(personId, record.id)
  removeStored(slot)
  return { text: 'none', sync: { isStored: true } }
}

function removeStored(slot: DraftSlot) {
  removeRecord(slot)
  const sent = slot.entryId ?? readSentId(slot.personId)
  if (sent !== undefined) clearChanges({}, sent)
  if (slot.entryId === undefined) removeNewEntryDraft()
  else removeFormDraft({ form: formNames.entry(slot.entryId), personId: slot.personId })
}

/** Stores the server's draft in this browser, where the form reads it. */
function storeServerDraft(slot: DraftRequest, server: Draft, initialDraft: InitialDraft): InitialDraft {
  const { personId, entryId } = slot
  const { version, target, milestone } = server
  const id = slot.draftId === undefined ? readSentId(personId) : undefined
  const text = textOf(server)
  const chosen = {
    ...(server.happenedOn && { day: server.happenedOn }),
    ...(server.coverFile && { coverFile: server.coverFile === 'none' ? null : server.coverFile }),
  }
  storeRecord(slot, { id: server._id, version, saved: digestOf(text) })
  const isStored =
    entryId === undefined
      ? storeNewEntryDraft(text, personId, { ...originOf(slot, server), ...chosen, id }) !== 'not stored'
      : storeFormDraft(
          { form: formNames.entry(entryId), personId },
          {
            ...text,
            ...chosen,
            ...(target && milestone && target.milestoneId !== milestone._id && { place: target }),
            version: server.baseVersion ?? 1,
          },
        )
  // If the browser cannot store it, the draft is shown beside the form.
  return isStored ? initialDraft : { text: 'none', sync: { isStored: true }, other: server }
}

/** Returns the milestone of a draft: the current one if the person chose the draft, otherwise its own, so that the editor asks. */
function originOf({ personId, draftId, origin }: DraftRequest, { project, milestone }: Draft): DraftOrigin {
  if (draftId !== undefined) return origin
  const stored = readNewEntryDraft(personId) && readDraftOrigin()
  if (stored || !project || !milestone) return stored ?? origin
  return {
    projectId: project._id,
    milestoneId: milestone._id,
    milestoneTitle: milestone.title,
    projectTitle: project.title,
  }
}

function withTimeout(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), WAIT_MS)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    late.abort()
  })
  return late.signal
}
