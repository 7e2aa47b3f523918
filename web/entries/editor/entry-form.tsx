import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useState,
} from 'react'
import { Controller } from 'react-hook-form'
import type { Entry } from '#contract/entries.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSaveEntry } from '#web/entries/mutations.ts'
import { LeaveDialog, useLeaveGuard } from '#web/forms/leave-guard.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogBody, DialogFooter } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ConflictChoice } from './conflict-dialog.tsx'
import { ContentField, type ContentTab } from './content-field.tsx'
import type { DraftOrigin, DraftState } from './entry-draft.ts'
import { EntryFormBanners } from './entry-form-banners.tsx'
import { imageDrop, useImageChange, withImage } from './image-change.ts'
import { ImageField } from './image-field.tsx'
import { TagsField } from './tags-field.tsx'
import { useEntryDraft, useEntryForm } from './use-entry-form.ts'

export type EntryEditorProps = {
  projectId: string
  milestoneId: string
  /** The entry to change; absent for a new one. */
  entryId?: string | undefined
  onClose: () => void
}

/** What the dialog around the form can do with it; `close` returns whether the form was left. */
export type EntryFormHandle = { close: () => boolean; focus: () => void }

type EntryFormProps = EntryEditorProps & {
  ref: Ref<EntryFormHandle>
  /** The milestone that a new entry is written in. */
  origin: DraftOrigin
  /** The entry as it was fetched; absent for a new one. */
  original: Entry | undefined
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

const EDIT_LOST = 'Your changes to this entry will be lost.'

const draftStored = (losesImage: boolean) =>
  `Your draft stays in this browser and comes back when you next add an entry${losesImage ? ', but without the image that you chose' : ''}.`

/** The form of a new or an existing entry: title, content, tags and image. */
export function EntryForm({ ref, projectId, milestoneId, origin, original, onClose }: EntryFormProps) {
  const [face, setFace] = useState<ContentTab>('edit')
  const save = useSaveEntry({ projectId, milestoneId }, original?._id)
  const image = useImageChange()
  const hasImages = useServerOptions()?.entries.images === true
  const entry = useEntryForm(
    original,
    (fields, version) => save(withImage(fields, image.change), version),
    onSaved,
  )
  const { form, base, theirs, isDirty: isTextDirty } = entry
  const draft = useEntryDraft({
    form,
    entryId: original?._id,
    version: base.version,
    origin,
    isDirty: isTextDirty,
  })
  const isDirty = useCallback(() => image.change !== null || isTextDirty(), [image.change, isTextDirty])
  const guard = useLeaveGuard(isDirty, () => {
    if (original) draft.end()
    else draft.pause()
    onClose()
  })
  useImperativeHandle(ref, () => ({ close: guard.close, focus: () => form.setFocus('title') }))
  const { errors, isSubmitting } = form.formState

  function onSaved() {
    draft.end()
    guard.leave()
  }

  function focusContentOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.setFocus('content')
  }

  function discardDraft() {
    draft.remove()
    entry.discardDraft()
  }

  function submit(event: FormEvent) {
    // React would let it bubble to a form around this dialog.
    event.stopPropagation()
    if (isSubmitting) return event.preventDefault()
    void form.handleSubmit(entry.submit, ({ content }) => content && setFace('edit'))(event)
  }

  return (
    <>
      {theirs ? (
        <ConflictChoice mine={form.getValues()} theirs={theirs} onChoose={entry.resolveConflict} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events come from its fields
        <form
          noValidate
          onSubmit={submit}
          onKeyDown={submitOnCtrlEnter}
          {...(hasImages && !isSubmitting && imageDrop(image.choose))}
          className="flex flex-1 flex-col"
        >
          <DialogBody>
            <EntryFormBanners entry={entry} isNew={!original} onDiscardDraft={discardDraft} />
            <Field label="Title" error={errors.title?.message}>
              <TextInput
                {...form.register('title')}
                autoComplete="off"
                readOnly={isSubmitting}
                className="font-reading text-lg! font-medium"
                onKeyDown={focusContentOnEnter}
              />
            </Field>
            <ContentField
              form={form}
              resets={entry.resets}
              readOnly={isSubmitting}
              face={face}
              onFace={setFace}
            />
            <Controller
              control={form.control}
              name="tags"
              render={({ field }) => (
                <TagsField
                  tags={field.value}
                  errors={errors.tags}
                  readOnly={isSubmitting}
                  onChange={field.onChange}
                />
              )}
            />
            <ImageField
              hidden={!hasImages}
              savedURL={original?.imageURL}
              image={image}
              readOnly={isSubmitting}
            />
          </DialogBody>
          <EntryFormFooter
            isNew={!original}
            draft={draft.state}
            isSaving={isSubmitting}
            onCancel={guard.close}
          />
        </form>
      )}
      {guard.isAsking && (
        <LeaveDialog
          detail={original ? EDIT_LOST : draftStored(image.change !== null)}
          onLeave={guard.leave}
          onStay={guard.stay}
        />
      )}
    </>
  )
}

const draftTexts: { [state in DraftState]: string } = {
  none: '',
  stored: 'Draft saved',
  'not stored': 'This browser cannot keep a draft',
}

const editTexts: typeof draftTexts = {
  none: '',
  stored: 'Kept in this browser only',
  'not stored': 'Not saved',
}

type EntryFormFooterProps = { isNew: boolean; draft: DraftState; isSaving: boolean; onCancel: () => void }

/** How the draft is doing, Cancel, and the button that saves. */
function EntryFormFooter({ isNew, draft, isSaving, onCancel }: EntryFormFooterProps) {
  return (
    <DialogFooter>
      <output className="mr-auto self-center text-sm text-muted">
        {(isNew ? draftTexts : editTexts)[draft]}
      </output>
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        variant="primary"
        busy={isSaving}
        busyLabel="Saving..."
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {isNew ? 'Create Entry' : 'Update Entry'}
      </Button>
    </DialogFooter>
  )
}
