import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isTransient } from '#web/api/query-client.ts'
import type { InitialDraft } from '#web/composer/drafts/choose-draft.ts'
import { type DraftOrigin, entryKey, readEntryDraft } from '#web/composer/drafts/entry-draft.ts'
import { EntryNotFound } from '#web/entries/reading/entry-not-found.tsx'
import { useSession } from '#web/identity/session.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject } from '#web/projects/queries.ts'
import type { DraftKey } from '#web/saving/drafts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import type { MilestoneRef } from './composer-settings.ts'
import {
  ComposerMessage,
  DeletedEntryDraft,
  DraftFailed,
  DraftFromElsewhere,
  Loading,
} from './composer-states.tsx'
import { EntryForm, type EntryFormHandle } from './entry-form.tsx'
import { MovedEntry } from './moved-entry.tsx'
import { useChosenDraft } from './use-chosen-draft.ts'
import { useEditedEntry } from './use-edited-entry.ts'
import { useNewerText } from './use-newer-text.ts'
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

/** The composer, above the page: of a new entry, or of one that is edited. */
export function ComposerDialog({ entryId, draftId, onClose, ...props }: ComposerDialogProps) {
  const isNew = entryId === undefined
  const form = useRef<EntryFormHandle>(null)
  const [movedMilestone, setMovedMilestone] = useState<MilestoneRef | null>(null)
  const { projectId, milestoneId } = movedMilestone ?? props
  const source = { projectId, milestoneId }
  const personId = useSession().user?._id
  // Read before the server responds that the entry is gone.
  const key = useMemo(() => entryKey(personId, entryId), [personId, entryId])
  const [storedEdit] = useState(() => (isNew ? null : readEntryDraft(key)))
  const draft = useChosenDraft(key, useOrigin(source), draftId)
  const { initialDraft, other } = draft
  const { target, origin, setTarget } = useTarget(key, initialDraft, source)
  const { original, isFetched, error, retry, moved } = useEditedEntry(entryId, source)
  useNewerText(form, { draft, entryId, original })
  useFocus(form, { isNew, isReady: isFetched && initialDraft !== undefined, isDecided: draft.isDecided })

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
    if (other) return <DraftFromElsewhere draft={other} choice={draft} />
    if (isFetched && initialDraft) {
      return (
        <EntryForm
          key={`${draft.draftId ?? milestoneId} ${draft.openings}`}
          ref={form}
          source={source}
          target={target}
          onTarget={setTarget}
          origin={origin}
          original={original}
          initialDraft={initialDraft}
          initiallyDiscarded={draft.discarded}
          onContinue={draft.open}
          onMoved={openIn}
          onClose={(saved) => onClose(saved && saved.milestone !== props.milestoneId ? target : undefined)}
        />
      )
    }
    if (draft.error) return <DraftFailed onRetry={draft.retry} />
    if (!error) return <Loading isAfterSave={draft.isAfterSave} />
    const hasText = storedEdit !== null || (initialDraft !== undefined && initialDraft.text !== 'none')
    return (
      <ComposerMessage>
        <EntryNotFound
          heading="h2"
          error={error}
          onRetry={retry}
          wayBack={<Button onClick={() => onClose()}>Close</Button>}
        />
        {moved && <MovedEntry moved={moved} hasText={hasText} onOpen={() => openIn(moved)} />}
        {storedEdit && !isTransient(error) && <DeletedEntryDraft draft={storedEdit.text} />}
      </ComposerMessage>
    )
  }

  return (
    <PageLayer
      title={isNew ? 'Add Entry' : 'Edit Entry'}
      close={close}
      isToWrite={isNew}
      onEscape={(event) => form.current?.closeList() && event.preventDefault()}
    >
      {content()}
    </PageLayer>
  )
}

/** The milestone in which the entry is saved: the chosen one, that of the draft, or its current one. */
function useTarget(key: DraftKey, initialDraft: InitialDraft | undefined, source: MilestoneRef) {
  const [chosen, setTarget] = useState<MilestoneRef | null>(null)
  // The stored text is final once the server's draft is known.
  const stored = useMemo(() => initialDraft && readEntryDraft(key)?.choices.place, [initialDraft, key])
  const target = chosen ?? stored ?? source
  return { target, origin: useOrigin(target), setTarget }
}

type FocusOptions = { isNew: boolean; isReady: boolean; isDecided: boolean }

/** Focuses the form once it is shown: a fetched entry is rendered after the dialog has chosen a field to focus. */
function useFocus(form: RefObject<EntryFormHandle | null>, { isNew, isReady, isDecided }: FocusOptions) {
  useEffect(() => {
    if (isDecided) form.current?.focus()
  }, [form, isDecided])

  // Before the paint, so that the focus is not taken from another field in use.
  const wasLoading = useRef(!isReady)
  useLayoutEffect(() => {
    if (isReady && wasLoading.current && (isNew || matchMedia('(pointer: fine)').matches))
      form.current?.focus()
    wasLoading.current = !isReady
  }, [form, isReady, isNew])
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
