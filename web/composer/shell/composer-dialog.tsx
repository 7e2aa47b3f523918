import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DraftFields } from '#contract/drafts.ts'
import { isTransient } from '#web/api/query-client.ts'
import type { InitialDraft } from '#web/composer/drafts/choose-draft.ts'
import {
  type DraftOrigin,
  entryKey,
  readEntryDraft,
  storeEntryDraft,
} from '#web/composer/drafts/entry-draft.ts'
import { discardStoredDraft, keepStoredDraft, useInitialDraft } from '#web/composer/drafts/initial-draft.ts'
import { rememberMove } from '#web/entries/paths.ts'
import { entryQuery, refreshEntryPages } from '#web/entries/queries.ts'
import { EntryNotFound } from '#web/entries/reading/entry-not-found.tsx'
import { useSession } from '#web/identity/session.tsx'
import { refreshMilestones, useMilestones } from '#web/milestones/queries.ts'
import { isNotFound, useProject } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import type { MilestoneRef } from './composer-settings.ts'
import {
  ComposerMessage,
  DeletedEntryDraft,
  DraftFromElsewhere,
  draftFromElsewhere,
  Loading,
} from './composer-states.tsx'
import { happenedOn } from './date-and-state.ts'
import { EntryForm, type EntryFormHandle } from './entry-form.tsx'
import { findMovedMilestone, MovedEntry } from './moved-entry.tsx'
import './composer.css'

export type ComposerDialogProps = {
  projectId: string
  milestoneId: string
  /** The entry to edit; absent for a new one. */
  entryId?: string | undefined
  /** The draft of a new entry to continue. */
  draftId?: string | undefined
  /** `moved` is the new location of the entry, if it was moved to another milestone. */
  onClose: (moved?: MilestoneRef) => void
}

/**
 * The composer, above the page. An existing entry is always refetched first, so that editing starts from its current
 * version. Before a new entry, the person is asked about a draft for another milestone.
 */
export function ComposerDialog({ entryId, onClose, ...props }: ComposerDialogProps) {
  const client = useQueryClient()
  const form = useRef<EntryFormHandle>(null)
  const [movedMilestone, setMovedMilestone] = useState<MilestoneRef | null>(null)
  const { projectId, milestoneId } = movedMilestone ?? props
  const source = { projectId, milestoneId }
  const personId = useSession().user?._id
  // Read before the server responds that the entry is gone.
  const key = useMemo(() => entryKey(personId, entryId), [personId, entryId])
  const [storedEdit] = useState(() => (entryId === undefined ? null : readEntryDraft(key)))
  const [moved, setTarget] = useState<MilestoneRef | null>(null)
  const [discarded, setDiscarded] = useState<InitialDraft | null>(null)
  const [discardedFields, setDiscardedFields] = useState<DraftFields>()
  const zone = zoneOf(use(DateContext))
  const [draftId, setDraftId] = useState(props.draftId)
  const originHere = useOrigin(source)
  const loaded = useInitialDraft({ key, draftId, origin: originHere })
  const initialDraft = discarded ?? loaded.initialDraft
  // The stored text is final once the server's draft is known.
  const storedTarget = useMemo(() => initialDraft && readEntryDraft(key)?.choices.place, [initialDraft, key])
  const target = moved ?? storedTarget ?? source
  const origin = useOrigin(target)
  const [isDecided, setDecided] = useState(false)
  const otherDraft = useMemo(
    () =>
      initialDraft && initialDraft.text !== 'none' && entryId === undefined && !isDecided
        ? draftFromElsewhere(personId, milestoneId)
        : null,
    [initialDraft, entryId, isDecided, milestoneId, personId],
  )
  const query = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const { isFetchedAfterMount, error, refetch } = query
  // Losing access to the project removes it from the cache, but closes no open form.
  const [lastData, setLastData] = useState(query.data)
  if (query.data && query.data !== lastData) setLastData(query.data)
  const data = query.data ?? (lastData?.milestone === milestoneId ? lastData : undefined)
  const movedTo = useQuery({
    queryKey: ['moved entry', entryId, milestoneId],
    queryFn:
      entryId !== undefined && error && !isTransient(error) ? () => lookFor(entryId, milestoneId) : skipToken,
    gcTime: 0,
    retry: false,
  })
  // A cached copy of a deleted entry is not edited; an open form is not closed by a later response.
  const [openedIn, setOpenedIn] = useState<string>()
  const mayOpen = query.data !== undefined && isFetchedAfterMount && (!error || isTransient(error))
  if (mayOpen && openedIn !== milestoneId) setOpenedIn(milestoneId)
  const isFetched = entryId === undefined || (data !== undefined && openedIn === milestoneId)
  const isReady = isFetched && initialDraft !== undefined
  const isGone = isNotFound(error)

  // Without events from the server, the lists still contain it.
  useEffect(() => {
    if (!isGone) return
    refreshEntryPages(client)
    refreshMilestones(client, projectId)
  }, [client, isGone, projectId])

  useEffect(() => {
    if (otherDraft === null && isDecided) form.current?.focus()
  }, [otherDraft, isDecided])

  // A fetched entry is rendered after the dialog has chosen a field to focus. This runs before the paint, so that the
  // focus is not taken from another field in use.
  const isNew = entryId === undefined
  const wasLoading = useRef(!isReady)
  useLayoutEffect(() => {
    if (isReady && wasLoading.current && (isNew || matchMedia('(pointer: fine)').matches))
      form.current?.focus()
    wasLoading.current = !isReady
  }, [isReady, isNew])

  function decide(isUsed: boolean) {
    if (isUsed && otherDraft) storeEntryDraft(key, { ...otherDraft, origin: originHere })
    if (!isUsed && otherDraft) {
      const { coverFile, day } = otherDraft.choices
      const { milestoneId: milestone } = otherDraft.origin
      setDiscardedFields({ ...otherDraft.text, milestone, coverFile, ...(day && happenedOn(day, zone)) })
      setDiscarded(discardStoredDraft(personId))
    }
    setDecided(true)
  }

  async function keepOther() {
    try {
      setDiscarded(await keepStoredDraft(personId))
      setDecided(true)
    } catch {
      toast.error(
        'The unfinished entry could not be sent to your drafts. Check your connection and try again.',
      )
    }
  }

  function continueWith(chosen: string) {
    setDiscarded(null)
    setDraftId(chosen)
  }

  function openIn({ projectId, milestoneId }: MilestoneRef) {
    setTarget(null)
    setMovedMilestone({ projectId, milestoneId })
  }

  function close(): boolean {
    if (form.current) return form.current.close()
    onClose()
    return true
  }

  function content() {
    if (otherDraft) {
      return (
        <DraftFromElsewhere
          draft={otherDraft}
          onUse={() => decide(true)}
          onKeep={keepOther}
          onDiscard={() => decide(false)}
        />
      )
    }
    if (isFetched && initialDraft) {
      return (
        <EntryForm
          key={draftId ?? milestoneId}
          ref={form}
          source={source}
          target={target}
          onTarget={setTarget}
          origin={origin}
          original={entryId ? data : undefined}
          initialDraft={initialDraft}
          initiallyDiscarded={discardedFields}
          onContinue={continueWith}
          onMoved={openIn}
          onClose={(saved) => onClose(saved && saved.milestone !== props.milestoneId ? target : undefined)}
        />
      )
    }
    if (loaded.error) {
      return (
        <ComposerMessage>
          <EmptyState
            drawing="broken"
            title="The draft could not be opened"
            action={<TryAgain onClick={loaded.retry} />}
          >
            It is safe on the server, and so is what this browser keeps. Check your connection.
          </EmptyState>
        </ComposerMessage>
      )
    }
    if (!error) return <Loading isAfterSave={loaded.isAfterSave} />
    return (
      <ComposerMessage>
        <EntryNotFound
          heading="h2"
          error={error}
          onRetry={() => void refetch()}
          wayBack={<Button onClick={() => onClose()}>Close</Button>}
        />
        {movedTo.data && (
          <MovedEntry
            moved={movedTo.data}
            hasText={storedEdit !== null || (initialDraft !== undefined && initialDraft.text !== 'none')}
            onOpen={() => movedTo.data && openIn(movedTo.data)}
          />
        )}
        {storedEdit && !isTransient(error) && <DeletedEntryDraft draft={storedEdit.text} />}
      </ComposerMessage>
    )
  }

  return (
    <PageLayer
      title={entryId ? 'Edit Entry' : 'Add Entry'}
      close={close}
      isToWrite={isNew}
      onEscape={(event) => form.current?.closeList() && event.preventDefault()}
    >
      {content()}
    </PageLayer>
  )
}

async function lookFor(entryId: string, milestoneId: string) {
  const moved = await findMovedMilestone(entryId, milestoneId)
  if (moved) rememberMove(entryId, moved)
  return moved
}

/**
 * Returns the milestone of an entry, with the titles that identify its draft in other milestones: the last known ones, if the person
 * may no longer see the project.
 */
function useOrigin({ projectId, milestoneId }: MilestoneRef): DraftOrigin {
  const project = useProject(projectId)
  const { milestones } = useMilestones(projectId)
  const milestoneTitle = milestones.find(({ _id }) => _id === milestoneId)?.title ?? ''
  const current = { projectId, milestoneId, milestoneTitle, projectTitle: project.data?.title ?? '' }
  const [last, setLast] = useState(current)
  const isOutdated = last.milestoneId !== milestoneId
  const isKnown = current.milestoneTitle !== '' && current.projectTitle !== ''
  const isChanged = last.milestoneTitle !== milestoneTitle || last.projectTitle !== current.projectTitle
  if (isOutdated || (isKnown && isChanged)) setLast(current)
  return isKnown || isOutdated ? current : last
}
