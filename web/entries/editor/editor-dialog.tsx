import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { entryQuery } from '#web/entries/queries.ts'
import { EntryNotFound } from '#web/entries/reading/entry-not-found.tsx'
import { useSession } from '#web/identity/session.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CloseLayer, PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import type { Place } from './composer-settings.ts'
import { EntryTextView } from './conflict-dialog.tsx'
import {
  type DraftOrigin,
  type EntryText,
  readDraftOrigin,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft,
} from './entry-draft.ts'
import { EntryForm, type EntryFormHandle } from './entry-form.tsx'
import './composer.css'

export type EntryEditorProps = {
  projectId: string
  milestoneId: string
  /** The entry to change; absent for a new one. */
  entryId?: string | undefined
  /** `moved` is where the entry is now, if it was moved to another milestone. */
  onClose: (moved?: Place) => void
}

/**
 * The composer, above the page. An existing entry is always fetched again first, so that editing starts from its current
 * version. Before a new entry, the person decides about a draft that was begun in another milestone.
 */
export function EditorDialog({ projectId, milestoneId, entryId, onClose }: EntryEditorProps) {
  const form = useRef<EntryFormHandle>(null)
  const place = { projectId, milestoneId }
  const [target, setTarget] = useState<Place>(place)
  const origin = useOrigin(target)
  const { user } = useSession()
  const [otherDraft, setOtherDraft] = useState(() =>
    entryId === undefined ? draftFromElsewhere(user?._id, milestoneId) : null,
  )
  const isDecided = useRef(false)
  const { data, isFetchedAfterMount, error, refetch } = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const isReady = entryId === undefined || (data !== undefined && isFetchedAfterMount)

  useEffect(() => {
    if (otherDraft === null && isDecided.current) form.current?.focus()
  }, [otherDraft])

  // An entry that had to be fetched comes after the layer has looked for a field to focus.
  const wasLoading = useRef(!isReady)
  useEffect(() => {
    if (isReady && wasLoading.current && matchMedia('(pointer: fine)').matches) form.current?.focus()
    wasLoading.current = !isReady
  }, [isReady])

  function decide(use: boolean) {
    if (use && otherDraft) storeNewEntryDraft(otherDraft.text, user?._id, origin)
    else removeNewEntryDraft()
    isDecided.current = true
    setOtherDraft(null)
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
    if (isReady) {
      return (
        <EntryForm
          ref={form}
          place={place}
          target={target}
          onTarget={setTarget}
          origin={origin}
          original={entryId ? data : undefined}
          onClose={(saved) => onClose(saved && saved.milestone !== milestoneId ? target : undefined)}
        />
      )
    }
    if (!error) return <Loading />
    return (
      <Aside>
        <EntryNotFound
          heading="h2"
          error={error}
          onRetry={() => void refetch()}
          wayBack={<Button onClick={() => onClose()}>Close</Button>}
        />
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

/** What is shown instead of the form, with the way out. */
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

/** Returns the milestone that an entry is written in, with the names that identify its draft in other milestones. */
function useOrigin({ projectId, milestoneId }: Place): DraftOrigin {
  const project = useProject(projectId)
  const { milestones } = useMilestones(projectId)
  const milestoneTitle = milestones.find(({ _id }) => _id === milestoneId)?.title ?? ''
  return { projectId, milestoneId, milestoneTitle, projectTitle: project.data?.title ?? '' }
}

function draftFromElsewhere(personId: string | undefined, milestoneId: string): OtherDraft | null {
  const text = readNewEntryDraft(personId)
  const origin = readDraftOrigin()
  return text && origin && origin.milestoneId !== milestoneId ? { text, origin } : null
}

function Loading() {
  return (
    <Aside>
      <output>
        <VisuallyHidden>Opening the entry</VisuallyHidden>
      </output>
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-[50dvh]" />
    </Aside>
  )
}

/** A draft that was begun in another milestone. */
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

/** Returns the title, or the first words of a draft without one. */
function nameOf({ title, content }: EntryText): string {
  return title.trim() || `${content.trim().slice(0, 40)}…`
}
