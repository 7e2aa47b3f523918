import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#contract/drafts.ts'
import { exchange } from '#web/api/client.ts'
import { discardDraft, readDraft, readDraftOf } from '#web/drafts/queries.ts'
import { formNames, removeDraft, storeDraft } from '#web/forms/drafts.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  type Beginning,
  beginWith,
  type DraftSlot,
  digestOf,
  readRecord,
  removeRecord,
  saveInProgress,
  storeRecord,
} from './draft-record.ts'
import {
  type DraftOrigin,
  readDraftOrigin,
  readNewEntryCalls,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft,
  textOf,
} from './entry-draft.ts'
import { lastLeaving, newDraftId } from './use-draft-sync.ts'
import { readCalls, readEdit } from './use-entry-form.ts'

/** How long the editor waits for the server's draft: then it begins with what this browser has. */
const WAIT_MS = 3_000

type Sought = DraftSlot & {
  /** Where the editor was opened, by which a draft from another device is stored here. */
  origin: DraftOrigin
  /** The draft of a new entry to go on with. */
  draftId: string | undefined
}

/** What the editor begins with; undefined while the server is asked. */
export function useBeginning(sought: Sought) {
  const { personId, entryId, draftId } = sought
  // A composer that was left while it saves takes its draft away once it has, and may have to bring it back.
  const [isAfterSave] = useState(() => saveInProgress(sought) !== undefined)
  // A new entry of which this browser knows nothing begins at once.
  const [known] = useState(() => (!isAfterSave && isUnknown(sought) ? beginHere(sought) : undefined))
  // A draft may be chosen afterwards.
  const begunHere = draftId === undefined ? known : undefined
  const query = useQuery({
    queryKey: ['draft to begin with', personId, entryId ?? draftId ?? 'new', sought.origin.milestoneId],
    queryFn: ({ signal }) => begin(sought, signal),
    enabled: begunHere === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return {
    beginning: begunHere ?? query.data,
    isAfterSave,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

const isUnknown = ({ personId, entryId, draftId }: Sought) =>
  entryId === undefined && draftId === undefined && readRecord({ personId, entryId }) === null

const keptText = ({ personId, entryId }: DraftSlot) => {
  const kept = entryId === undefined ? readNewEntryDraft(personId) : readEdit(entryId, personId)
  return kept && textOf(kept)
}

const beginHere = (slot: DraftSlot) => beginWith({ ...knownOf(slot), server: null })

const knownOf = (slot: DraftSlot) => ({
  local: keptText(slot),
  record: readRecord(slot),
  isUnsettled: readCalls(slot.entryId, slot.personId).creation !== undefined,
})

async function begin(sought: Sought, signal: AbortSignal): Promise<Beginning> {
  await saveInProgress(sought)
  signal.throwIfAborted()
  const inTime = withTimeout(signal)
  await lastLeaving()
  if (sought.draftId !== undefined) return beginWithDraft(sought, sought.draftId, inTime)
  const server = await serverDraft(sought, inTime)
  signal.throwIfAborted()
  const beginning = beginWith({ ...knownOf(sought), server })
  if (beginning.text === 'none') forget(sought)
  return beginning.text === 'server' && server ? take(sought, server, beginning) : beginning
}

/** The server's draft; null where there is none, undefined where that could not be asked. */
async function serverDraft(
  { personId, entryId }: Sought,
  signal: AbortSignal,
): Promise<Draft | null | undefined> {
  const id = readRecord({ personId, entryId })?.id
  try {
    if (entryId !== undefined) return await readDraftOf(personId, entryId, signal)
    return id === undefined ? null : await readDraft(id, signal)
  } catch {
    // The editor does not wait for the server: what was typed here is here.
    return undefined
  }
}

/**
 * Goes on with a draft of a new entry, after the one that this browser keeps has been sent to the server: there is room for
 * one. Throws where that fails.
 */
async function beginWithDraft(sought: Sought, draftId: string, signal: AbortSignal): Promise<Beginning> {
  const [local, record] = [keptText(sought), readRecord(sought)]
  if (record?.id === draftId) return begin({ ...sought, draftId: undefined }, signal)
  const isHeld = record?.version !== undefined && local !== null && record.saved === digestOf(local)
  if (local && !isHeld) {
    const body = { ...local, milestone: readDraftOrigin()?.milestoneId ?? null }
    await exchange('saveDraft', { params: { draftId: newDraftId() }, body }, { signal })
  }
  const server = await readDraft(draftId, signal)
  if (!server) {
    forget(sought)
    toast.info('This draft was saved or discarded elsewhere.')
    return { text: 'none', sync: { isStored: true } }
  }
  return take(sought, server, beginWith({ local: null, record: null, server }))
}

/** Discards the draft of a new entry that this browser keeps, there and on the server. */
export function discardKept(personId: string | undefined): Beginning {
  const slot = { personId, entryId: undefined }
  const record = readRecord(slot)
  if (record) void discardDraft(personId, record.id)
  forget(slot)
  return { text: 'none', sync: { isStored: true } }
}

function forget(slot: DraftSlot) {
  removeRecord(slot)
  if (slot.entryId === undefined) removeNewEntryDraft()
  else removeDraft({ form: formNames.entry(slot.entryId), personId: slot.personId })
}

/** Stores the server's draft in this browser, from where the form reads it. */
function take(slot: Sought, server: Draft, beginning: Beginning): Beginning {
  const { personId, entryId } = slot
  const { version, target, milestone } = server
  const calls = slot.draftId === undefined ? readNewEntryCalls(personId) : undefined
  const text = textOf(server)
  const chosen = {
    ...(server.happenedOn && { day: server.happenedOn }),
    ...(server.coverFile && { coverFile: server.coverFile }),
  }
  storeRecord(slot, { id: server._id, version, saved: digestOf(text) })
  const isStored =
    entryId === undefined
      ? storeNewEntryDraft(text, personId, { ...originOf(slot, server), ...chosen }, calls) !== 'not stored'
      : storeDraft(
          { form: formNames.entry(entryId), personId },
          {
            ...text,
            ...chosen,
            ...(target && milestone && target.milestoneId !== milestone._id && { place: target }),
            version: server.baseVersion ?? 1,
            calls: readEdit(entryId, personId)?.calls,
          },
        )
  // A browser that stores nothing shows the draft beside the form.
  return isStored ? beginning : { text: 'none', sync: { isStored: true }, other: server }
}

/** A draft that was chosen goes on here; any other one stays one of where it was begun, and the editor asks. */
function originOf({ personId, draftId, origin }: Sought, { project, milestone }: Draft): DraftOrigin {
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
