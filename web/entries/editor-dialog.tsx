import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject } from '#web/projects/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { DraftFromElsewhere, type ForeignDraft } from './draft-from-elsewhere.tsx'
import { keepDraft, readDraft, readDraftOrigin, removeDraft } from './entry-draft.ts'
import { type EntryEditorProps, EntryForm, type EntryFormHandle } from './entry-form.tsx'
import { EntryNotFound } from './entry-not-found.tsx'
import { entryQuery } from './queries.ts'

/**
 * The editor in its dialog. An existing entry is read afresh first, so that nobody starts from an old text; before a new
 * one, a draft that was begun elsewhere is asked about.
 */
export function EditorDialog(props: EntryEditorProps) {
  const { projectId, milestoneId, entryId, onClose } = props
  const form = useRef<EntryFormHandle>(null)
  const origin = useOrigin(projectId, milestoneId)
  const { user } = useSession()
  const [foreign, setForeign] = useState(() =>
    entryId === undefined ? draftFromElsewhere(user?._id, milestoneId) : null,
  )
  const isAnswered = useRef(false)
  const { data, isFetchedAfterMount, error, refetch } = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const isReady = entryId === undefined || (data !== undefined && isFetchedAfterMount)

  useEffect(() => {
    if (foreign === null && isAnswered.current) form.current?.focus()
  }, [foreign])

  function answer(use: boolean) {
    if (use && foreign) keepDraft(foreign.text, user?._id, origin)
    else removeDraft()
    isAnswered.current = true
    setForeign(null)
  }

  function close(): boolean {
    if (form.current) return form.current.close()
    onClose()
    return true
  }

  function content() {
    if (foreign) {
      return <DraftFromElsewhere draft={foreign} onUse={() => answer(true)} onDiscard={() => answer(false)} />
    }
    if (isReady) {
      return <EntryForm {...props} ref={form} origin={origin} original={entryId ? data : undefined} />
    }
    if (!error) return <Opening />
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

/** The milestone that a new entry is written in, by the names that its draft is asked about elsewhere. */
function useOrigin(projectId: string, milestoneId: string) {
  const project = useProject(projectId)
  const { milestones } = useMilestones(projectId)
  const milestoneTitle = milestones.find(({ _id }) => _id === milestoneId)?.title ?? ''
  return { milestoneId, milestoneTitle, projectTitle: project.data?.title ?? '' }
}

function draftFromElsewhere(personId: string | undefined, milestoneId: string): ForeignDraft | null {
  const text = readDraft(personId)
  const origin = readDraftOrigin()
  return text && origin && origin.milestoneId !== milestoneId ? { text, origin } : null
}

function Opening() {
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
