import { clsx } from 'clsx'
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { Controller } from 'react-hook-form'
import type { Entry, EntryState } from '#contract/entries.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSaveEntry } from '#web/entries/mutations.ts'
import { LeaveDialog } from '#web/forms/leave-guard.tsx'
import { useSession } from '#web/identity/session.tsx'
import { TabPanel, Tabs } from '#web/ui/controls/tabs.tsx'
import { useCircumstances } from './circumstances.ts'
import { codeMirror } from './codemirror.ts'
import { ComposerHeader } from './composer-header.tsx'
import { ComposerRail } from './composer-rail.tsx'
import { type Place, rememberPlace, usePlainEditor } from './composer-settings.ts'
import { ConflictChoice } from './conflict-dialog.tsx'
import { ContentField } from './content-field.tsx'
import type { ContentInputHandle } from './content-input.ts'
import { type DraftOrigin, readDraftOrigin, readNewEntryDraft } from './entry-draft.ts'
import { EntryFormBanners } from './entry-form-banners.tsx'
import { CoverField } from './files/cover-field.tsx'
import { FilesInText, useEntryFiles } from './files/files-in-text.tsx'
import { PictureDate } from './files/picture-date.tsx'
import { imageDrop, useImageChange, withImage } from './image-change.ts'
import { ImageField } from './image-field.tsx'
import { MarkdownToolbar } from './markdown-toolbar.tsx'
import { EntryPreview, usePreview } from './preview/entry-preview.tsx'
import { TagsField } from './tags-field.tsx'
import { TitleField } from './title-field.tsx'
import { useClosing } from './use-closing.ts'
import { useEntryDraft, useEntryForm } from './use-entry-form.ts'

export type ContentTab = 'edit' | 'preview'

/** What the layer around the form can do with it; `close` returns whether the form was left. */
export type EntryFormHandle = { close: () => boolean; focus: () => void; closeList: () => boolean }

type EntryFormProps = {
  ref: Ref<EntryFormHandle>
  /** The milestone that the entry is in, and those that it is to be saved in. */
  place: Place
  target: Place
  onTarget: (target: Place) => void
  /** The names of the target. */
  origin: DraftOrigin
  /** The entry as it was fetched; absent for a new one. */
  original: Entry | undefined
  onClose: (saved?: Entry) => void
}

const draftOf = (personId: string | undefined) => readNewEntryDraft(personId) && readDraftOrigin()

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** The form of a new or an existing entry: title, content and tags as a page, and the facts beside it. */
export function EntryForm({ ref, place, target, onTarget, origin, original, onClose }: EntryFormProps) {
  const [face, setFace] = useState<ContentTab>('edit')
  const [isPlain, setPlain] = usePlainEditor()
  const { user } = useSession()
  const box = useRef<HTMLFormElement>(null)
  const input = useRef<ContentInputHandle>(null)
  const save = useSaveEntry(original ? place : target, original?._id)
  const image = useImageChange()
  const nextState = useRef<EntryState>(undefined)
  const [draftDay] = useState(() => (original ? undefined : draftOf(user?._id)?.day))
  const about = useCircumstances(original, draftDay)
  const hasImages = useServerOptions()?.entries.images === true
  const files = useEntryFiles(target.projectId)
  const savedCover = original?.coverFile ?? null
  const [cover, setCover] = useState(savedCover)
  const entry = useEntryForm(
    original,
    (fields, version) =>
      save(
        {
          ...withImage(fields, image.change),
          ...about.fields(nextState.current),
          ...(cover !== savedCover && { coverFile: cover }),
          ...(original && target.milestoneId !== place.milestoneId && { milestone: target.milestoneId }),
        },
        version,
      ),
    onSaved,
  )
  const { form, base, theirs, isDirty: isTextDirty } = entry
  const draft = useEntryDraft({
    form,
    entryId: original?._id,
    version: base.version,
    origin: { ...origin, day: about.chosenDay },
    isDirty: isTextDirty,
  })
  const loses = image.change !== null || cover !== savedCover
  const isDirty = useCallback(
    () => loses || files?.hasArrivals === true || isTextDirty(),
    [loses, files, isTextDirty],
  )
  const closing = useClosing({ draft, isDirty, loses: image.change !== null, place, original, onClose })
  const { errors, isSubmitting } = form.formState
  const shown = face === 'preview' ? form.getValues('content') : undefined
  const preview = usePreview(shown)
  useImperativeHandle(ref, () => ({
    close: closing.close,
    focus: () => form.setFocus('title'),
    closeList: () => input.current?.closeList() ?? false,
  }))

  function onSaved(saved: Entry) {
    files?.end(saved.content)
    draft.end()
    rememberPlace(user?._id, target)
    closing.leave(saved)
  }

  function discardDraft() {
    draft.remove()
    entry.discardDraft()
  }

  function saveAs(state: EntryState) {
    nextState.current = state
    box.current?.requestSubmit()
  }

  function submit(event: FormEvent) {
    // React would let it bubble to a form around this dialog.
    event.stopPropagation()
    event.preventDefault()
    if (isSubmitting) return
    void submitWithFiles().finally(() => {
      nextState.current = undefined
    })
  }

  /** The text is saved as soon as it refers to every file; their bytes may arrive later. */
  async function submitWithFiles() {
    if (files && !(await files.settled())) return setFace('edit')
    await form.handleSubmit(entry.submit, ({ content }) => content && setFace('edit'))()
  }

  if (theirs) {
    return (
      <div className="flex-1 overflow-y-auto">
        <ConflictChoice mine={form.getValues()} theirs={theirs} onChoose={entry.resolveConflict} />
      </div>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events come from its fields
    <form
      ref={box}
      noValidate
      onSubmit={submit}
      onKeyDown={submitOnCtrlEnter}
      {...(hasImages && !isSubmitting && imageDrop(image.choose))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs value={face} onValueChange={setFace} className="flex min-h-0 flex-1 flex-col">
        <ComposerHeader
          origin={origin}
          isNew={!original}
          draft={draft.state}
          isSaving={isSubmitting}
          onCancel={closing.close}
        />
        <div
          className={clsx(
            'shrink-0 border-line bg-raised px-3 max-sm:order-last max-sm:border-t sm:border-b lg:pr-[20.25rem]',
            face === 'preview' && 'max-sm:hidden sm:*:invisible',
          )}
        >
          <MarkdownToolbar input={input} files={files} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain lg:flex">
          <div className="flex min-w-0 flex-1 flex-col px-5 pt-6 pb-8 sm:pt-10">
            <div className="mx-auto flex w-full max-w-reading flex-1 flex-col gap-4">
              <EntryFormBanners entry={entry} isNew={!original} onDiscardDraft={discardDraft} />
              <TitleField form={form} readOnly={isSubmitting} onEnter={() => input.current?.focus()} />
              <TabPanel value="edit" forceMount className="composer-text">
                <ContentField
                  key={String(isPlain)}
                  form={form}
                  input={input}
                  resets={entry.resets}
                  readOnly={isSubmitting}
                  plain={isPlain}
                  extension={files?.extension}
                />
                {files && (
                  <FilesInText
                    files={files}
                    control={form.control}
                    readOnly={isSubmitting}
                    isPlain={isPlain || codeMirror.peek() === undefined}
                  />
                )}
              </TabPanel>
              <TabPanel value="preview" className="composer-text">
                {shown !== undefined && (
                  <EntryPreview content={shown} preview={preview} className="" files={files} />
                )}
              </TabPanel>
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
            </div>
          </div>
          <ComposerRail
            control={form.control}
            about={about}
            isNew={!original}
            onSaveAs={saveAs}
            target={target}
            onTarget={onTarget}
            isPlain={isPlain}
            onPlain={setPlain}
            readOnly={isSubmitting}
            dateOffer={
              files && (
                <PictureDate
                  files={files}
                  control={form.control}
                  day={about.day}
                  onUse={about.setDay}
                  readOnly={isSubmitting}
                />
              )
            }
          >
            {files && (
              <CoverField
                files={files}
                control={form.control}
                cover={cover}
                onCover={setCover}
                readOnly={isSubmitting}
              />
            )}
            <ImageField
              hidden={!hasImages}
              savedURL={original?.imageURL}
              image={image}
              readOnly={isSubmitting}
            />
          </ComposerRail>
        </div>
      </Tabs>
      {closing.isAsking && (
        <LeaveDialog detail={closing.detail} onLeave={() => closing.leave()} onStay={closing.stay} />
      )}
    </form>
  )
}
