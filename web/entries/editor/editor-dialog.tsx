import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isTransient } from '#web/api/query-client.ts'
import { rememberMove } from '#web/entries/paths.ts'
import { entryQuery, refreshEntryPages } from '#web/entries/queries.ts'
import { EntryNotFound } from '#web/entries/reading/entry-not-found.tsx'
import { useSession } from '#web/identity/session.tsx'
import { refreshMilestones, useMilestones } from '#web/milestones/queries.ts'
import { isNotFound, useProject } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { CloseLayer, PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import type { MilestoneRef } from './composer-settings.ts'
import type { InitialDraft } from './draft-record.ts'
import {
  type DraftOrigin,
  type EntryText,
  readDraftOrigin,
  readNewEntryCalls,
  readNewEntryDraft,
  storeNewEntryDraft,
} from './entry-draft.ts'
import { EntryForm, type EntryFormHandle } from './entry-form.tsx'
import { EntryTextView } from './entry-form-banners.tsx'
import { discardStoredDraft, useInitialDraft } from './initial-draft.ts'
import { findMovedMilestone, MovedEntry } from './moved-entry.tsx'
import { readChoices, readEdit } from './use-entry-form.ts'
import './composer.css'

export type EntryEditorProps = {
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
export function EditorDialog({ entryId, onClose, ...props }: EntryEditorProps) {
  const client = useQueryClient()
  const form = useRef<EntryFormHandle>(null)
  const [movedMilestone, setMovedMilestone] = useState<MilestoneRef | null>(null)
  const { projectId, milestoneId } = movedMilestone ?? props
  const source = { projectId, milestoneId }
  const personId = useSession().user?._id
  // Read before the server responds that the entry is gone.
  const [storedEdit] = useState(() => (entryId === undefined ? null : readEdit(entryId, personId)))
  const [moved, setTarget] = useState<MilestoneRef | null>(null)
  const [discarded, setDiscarded] = useState<InitialDraft | null>(null)
  const [draftId, setDraftId] = useState(props.draftId)
  const originHere = useOrigin(source)
  const loaded = useInitialDraft({ personId: personId, entryId, draftId, origin: originHere })
  const initialDraft = discarded ?? loaded.initialDraft
  // The stored text is final once the server's draft is known.
  const storedTarget = useMemo(
    () => initialDraft && readChoices(entryId, personId).place,
    [initialDraft, entryId, personId],
  )
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
  const { data, isFetchedAfterMount, error, refetch } = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const movedTo = useQuery({
    queryKey: ['moved entry', entryId, milestoneId],
    queryFn:
      entryId !== undefined && error && !isTransient(error) ? () => lookFor(entryId, milestoneId) : skipToken,
    gcTime: 0,
    retry: false,
  })
  // A cached copy of a deleted entry is not edited; an open form is not closed by a later response.
  const [openedIn, setOpenedIn] = useState<string>()
  const mayOpen = data !== undefined && isFetchedAfterMount && (!error || isTransient(error))
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
  const wasLoading = useRef(!isReady)
  useLayoutEffect(() => {
    if (isReady && wasLoading.current && matchMedia('(pointer: fine)').matches) form.current?.focus()
    wasLoading.current = !isReady
  }, [isReady])

  function decide(use: boolean) {
    if (use && otherDraft) {
      const { day, coverFile } = otherDraft.origin
      storeNewEntryDraft(
        otherDraft.text,
        personId,
        { ...originHere, day, coverFile },
        readNewEntryCalls(personId),
      )
    }
    if (!use) setDiscarded(discardStoredDraft(personId))
    setDecided(true)
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
        <DraftFromElsewhere draft={otherDraft} onUse={() => decide(true)} onDiscard={() => decide(false)} />
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
          onContinue={continueWith}
          onMoved={openIn}
          onClose={(saved) => onClose(saved && saved.milestone !== props.milestoneId ? target : undefined)}
        />
      )
    }
    if (loaded.error) {
      return (
        <Aside>
          <EmptyState
            drawing="broken"
            title="The draft could not be opened"
            action={<TryAgain onClick={loaded.retry} />}
          >
            It is safe on the server, and so is what this browser keeps. Check your connection.
          </EmptyState>
        </Aside>
      )
    }
    if (!error) return <Loading isAfterSave={loaded.isAfterSave} />
    return (
      <Aside>
        <EntryNotFound
          heading="h2"
          error={error}
          onRetry={() => void refetch()}
          wayBack={<Button onClick={() => onClose()}>Close</Button>}
        />
        {movedTo.data && (
          <MovedEntry moved={movedTo.data} onOpen={() => movedTo.data && openIn(movedTo.data)} />
        )}
        {storedEdit && !isTransient(error) && <LostEdit draft={storedEdit} />}
      </Aside>
    )
  }

  return (
    <PageLayer
      title={entryId ? 'Edit Entry' : 'Add Entry'}
      close={close}
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

/** A message instead of the form, with a close button. */
function Aside({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="flex h-14 shrink-0 items-center px-1.5 sm:px-4">
        <CloseLayer />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-6 pb-10">
        <div className="mx-auto flex max-w-reading flex-col gap-5">{children}</div>
      </div>
    </>
  )
}

/** Returns the milestone of an entry, with the titles that identify its draft in other milestones. */
function useOrigin({ projectId, milestoneId }: MilestoneRef): DraftOrigin {
  const project = useProject(projectId)
  const { milestones } = useMilestones(projectId)
  const milestoneTitle = milestones.find(({ _id }) => _id === milestoneId)?.title ?? ''
  return { projectId, milestoneId, milestoneTitle, projectTitle: project.data?.title ?? '' }
}

/** The person's draft of a deleted entry, for copying. */
function LostEdit({ draft }: { draft: EntryText }) {
  return (
    <section aria-labelledby="lost-edit" className="rounded-lg border border-line bg-surface p-4">
      <h3 id="lost-edit" className="font-semibold">
        What you wrote is still in this browser
      </h3>
      <CopyButton text={draft.content} label="Copy content" className="my-3" />
      <EntryTextView text={draft} />
    </section>
  )
}

function draftFromElsewhere(personId: string | undefined, milestoneId: string): OtherDraft | null {
  const text = readNewEntryDraft(personId)
  const origin = readDraftOrigin()
  return text && origin && origin.milestoneId !== milestoneId ? { text, origin } : null
}

/** `isAfterSave`: the previous text is still being saved. */
function Loading({ isAfterSave }: { isAfterSave: boolean }) {
  return (
    <Aside>
      {isAfterSave ? (
        <Spinner label="Saving what you wrote before…" />
      ) : (
        <output>
          <VisuallyHidden>Opening the entry</VisuallyHidden>
        </output>
      )}
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-[50dvh]" />
    </Aside>
  )
}

/** A draft for another milestone. */
type OtherDraft = { text: EntryText; origin: DraftOrigin }

type DraftFromElsewhereProps = { draft: OtherDraft; onUse: () => void; onDiscard: () => void }

/** Asks whether to use or discard a draft of another milestone, which a new entry would overwrite. */
function DraftFromElsewhere({ draft: { text, origin }, onUse, onDiscard }: DraftFromElsewhereProps) {
  return (
    <Aside>
      <h2 className="font-reading text-2xl font-medium">An unfinished entry</h2>
      <p>
        Unfinished: “<bdi>{nameOf(text)}</bdi>” from milestone <bdi>{origin.milestoneTitle}</bdi> of project{' '}
        <bdi>{origin.projectTitle}</bdi>.
      </p>
      <section aria-label="Unfinished entry" className="rounded-lg border border-line bg-surface p-4">
        <EntryTextView text={text} />
      </section>
      <div className="flex justify-end gap-2.5">
        <Button onClick={onDiscard}>Discard</Button>
        <Button variant="primary" onClick={onUse}>
          Use here
        </Button>
      </div>
    </Aside>
  )
}

/** Returns the title of a draft, or its first words. */
function nameOf({ title, content }: EntryText): string {
  return title.trim() || `${content.trim().slice(0, 40)}…`
}
