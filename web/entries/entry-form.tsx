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
import { LeaveDialog } from '#web/forms/leave-dialog.tsx'
import { useLeaveGuard } from '#web/forms/use-leave-guard.ts'
import { DialogBody } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { type ContentFace, ContentField } from './content-field.tsx'
import type { DraftOrigin } from './entry-draft.ts'
import { EntryFormFooter } from './entry-form-footer.tsx'
import { EntryFormNotices } from './entry-form-notices.tsx'
import { imageDrop } from './image-drop.ts'
import { ImageField } from './image-field.tsx'
import { useSaveEntry } from './mutations.ts'
import { TagsField } from './tags-field.tsx'
import { TwoTexts } from './two-texts.tsx'
import { useEntryForm } from './use-entry-form.ts'
import { useImageChange } from './use-image-change.ts'
import { useUnsavedEntry } from './use-unsaved-entry.ts'
import { withImage } from './written.ts'

export type EntryEditorProps = {
  projectId: string
  milestoneId: string
  /** The entry to change; a new one is written where it is absent. */
  entryId?: string | undefined
  onClose: () => void
}

/** What the dialog around the form asks of it: `close` returns whether the form is left. */
export type EntryFormHandle = { close: () => boolean; focus: () => void }

type EntryFormProps = EntryEditorProps & {
  ref: Ref<EntryFormHandle>
  /** Where a new entry is written. */
  origin: DraftOrigin
  /** The entry as it was read; absent for a new one. */
  original: Entry | undefined
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function goOnToContent(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  const content = event.currentTarget.form?.elements.namedItem('content')
  if (content instanceof HTMLElement) content.focus()
}

const EDIT_GOES = 'Your changes to this entry will be lost.'

const draftStays = (losesImage: boolean) =>
  `Your draft stays in this browser and comes back when you next add an entry${losesImage ? ', but without the image that you chose' : ''}.`

/** Title, content and tags of an entry, from the first email until they are saved or left. */
export function EntryForm({ ref, projectId, milestoneId, origin, original, onClose }: EntryFormProps) {
  const [face, setFace] = useState<ContentFace>('edit')
  const save = useSaveEntry({ projectId, milestoneId }, original?._id)
  const image = useImageChange()
  const hasImages = useServerOptions()?.entries.images === true
  const entry = useEntryForm(
    original,
    (fields, version) => save(withImage(fields, image.change), version),
    onSaved,
  )
  const { form, base, theirs, isUnsaved: isTextUnsaved } = entry
  const unsaved = useUnsavedEntry({
    form,
    entryId: original?._id,
    version: base.version,
    origin,
    isUnsaved: isTextUnsaved,
  })
  const isUnsaved = useCallback(() => image.change !== null || isTextUnsaved(), [image.change, isTextUnsaved])
  const guard = useLeaveGuard(isUnsaved, () => {
    if (original) unsaved.end()
    else unsaved.pause()
    onClose()
  })
  useImperativeHandle(ref, () => ({ close: guard.close, focus: () => form.setFocus('title') }))
  const { errors, isSubmitting } = form.formState

  function onSaved() {
    unsaved.end()
    guard.leave()
  }

  function startAfresh() {
    unsaved.remove()
    entry.startAfresh()
  }

  function submit(event: FormEvent) {
    // React would hand it on to a form around this dialog.
    event.stopPropagation()
    if (isSubmitting) return event.preventDefault()
    void form.handleSubmit(entry.send, ({ content }) => content && setFace('edit'))(event)
  }

  return (
    <>
      {theirs ? (
        <TwoTexts mine={form.getValues()} theirs={theirs} onChoose={entry.choose} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its fields
        <form
          noValidate
          onSubmit={submit}
          onKeyDown={submitOnCtrlEnter}
          {...(hasImages && !isSubmitting && imageDrop(image.choose))}
          className="flex flex-1 flex-col"
        >
          <DialogBody>
            <EntryFormNotices entry={entry} isNew={!original} onStartAfresh={startAfresh} />
            <Field label="Title" error={errors.title?.message}>
              <TextInput
                {...form.register('title')}
                autoComplete="off"
                readOnly={isSubmitting}
                className="font-reading text-lg! font-medium"
                onKeyDown={goOnToContent}
              />
            </Field>
            <ContentField
              {...form.register('content')}
              readOnly={isSubmitting}
              read={() => form.getValues('content')}
              face={face}
              onFace={setFace}
              error={errors.content?.message}
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
            draft={unsaved.draft}
            isSaving={isSubmitting}
            onCancel={guard.close}
          />
        </form>
      )}
      {guard.isAsking && (
        <LeaveDialog
          detail={original ? EDIT_GOES : draftStays(image.change !== null)}
          onLeave={guard.leave}
          onStay={guard.stay}
        />
      )}
    </>
  )
}
