import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { entryQuery } from '#web/entries/queries.ts'
import { EntryNotFound } from '#web/entries/reading/entry-not-found.tsx'
import { useSession } from '#web/identity/session.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { EntryTextView } from './conflict-dialog.tsx'
import {
  type DraftOrigin,
  type EntryText,
  readDraftOrigin,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft,
} from './entry-draft.ts'
import { type EntryEditorProps, EntryForm, type EntryFormHandle } from './entry-form.tsx'

/**
 * The editor in its dialog. An existing entry is always fetched again first, so that editing starts from its current
 * version. Before a new entry, the person decides about a draft that was begun in another milestone.
 */
export function EditorDialog(props: EntryEditorProps) {
  const { projectId, milestoneId, entryId, onClose } = props
  const form = useRef<EntryFormHandle>(null)
  const origin = useOrigin(projectId, milestoneId)
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
      return <EntryForm {...props} ref={form} origin={origin} original={entryId ? data : undefined} />
    }
    if (!error) return <Loading />
    return (
      <EntryNotFound
        heading="h2"
        error={error}
        onRetry={() => void refetch()}
        wayBack={<Button onClick={onClose}>Close</Button>}
      />
    )
  }

  return (
    <Dialog
      open
      size="lg"
      title={entryId ? 'Edit Entry' : 'Add Entry'}
      onOpenChange={() => close()}
      onBack={close}
    >
      {content()}
    </Dialog>
  )
}

/** Returns the milestone that a new entry is written in, with the names that identify its draft in other milestones. */
function useOrigin(projectId: string, milestoneId: string) {
  const project = useProject(projectId)
  const { milestones } = useMilestones(projectId)
  const milestoneTitle = milestones.find(({ _id }) => _id === milestoneId)?.title ?? ''
  return { milestoneId, milestoneTitle, projectTitle: project.data?.title ?? '' }
}

function draftFromElsewhere(personId: string | undefined, milestoneId: string): OtherDraft | null {
  const text = readNewEntryDraft(personId)
  const origin = readDraftOrigin()
  return text && origin && origin.milestoneId !== milestoneId ? { text, origin } : null
}

function Loading() {
  return (
    <DialogBody>
      <output>
        <VisuallyHidden>Opening the entry</VisuallyHidden>
      </output>
      <Skeleton className="h-16" />
      <Skeleton className="h-[max(18rem,100dvh-27rem)]" />
      <Skeleton className="h-16" />
    </DialogBody>
  )
}

/** A draft that was begun in another milestone. */
type OtherDraft = { text: EntryText; origin: DraftOrigin }

type DraftFromElsewhereProps = { draft: OtherDraft; onUse: () => void; onDiscard: () => void }

/** Asks whether to use or discard a draft of another milestone, which a new entry would overwrite. */
function DraftFromElsewhere({ draft: { text, origin }, onUse, onDiscard }: DraftFromElsewhereProps) {
  return (
    <>
      <DialogBody>
        <p>
          Unfinished: “<bdi>{nameOf(text)}</bdi>” from milestone <bdi>{origin.milestoneTitle}</bdi> of project{' '}
          <bdi>{origin.projectTitle}</bdi>.
        </p>
        <section aria-label="Unfinished entry" className="rounded-lg border border-line bg-surface p-4">
          <EntryTextView text={text} />
        </section>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onDiscard}>Discard</Button>
        <Button variant="primary" onClick={onUse}>
          Use here
        </Button>
      </DialogFooter>
    </>
  )
}

/** Returns the title, or the first words of a draft without one. */
function nameOf({ title, content }: EntryText): string {
  return title.trim() || `${content.trim().slice(0, 40)}…`
}
