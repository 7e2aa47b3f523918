import { clsx } from 'clsx'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { Controller } from 'react-hook-form'
import { useServerOptions } from '#web/api/server-options.ts'
import { CoverField } from '#web/composer/attachments/cover-field.tsx'
import { separatePictures } from '#web/composer/attachments/file-text.ts'
import { FilesInText } from '#web/composer/attachments/files-in-text.tsx'
import { ImageField } from '#web/composer/attachments/image-field.tsx'
import { MergeView } from '#web/composer/merge/merge-view.tsx'
import { EntryPreview, usePreview } from '#web/composer/preview/entry-preview.tsx'
import { codeMirror } from '#web/composer/text/codemirror.ts'
import { ContentField } from '#web/composer/text/content-field.tsx'
import { type ContentInputHandle, filesOf } from '#web/composer/text/content-input.ts'
import { MarkdownToolbar, type ToolbarHandle } from '#web/composer/text/markdown-toolbar.tsx'
import { HistoryButton } from '#web/entries/history/history-button.tsx'
import { OtherEditors } from '#web/entries/presence/other-editors.tsx'
import { LeaveDialog } from '#web/forms/leave-guard.tsx'
import { useProject } from '#web/projects/queries.ts'
import { TabPanel, Tabs } from '#web/ui/controls/tabs.tsx'
import { useReadMentionable } from '#web/watching/queries.ts'
import { ComposerHeader } from './composer-header.tsx'
import { ComposerRail } from './composer-rail.tsx'
import { usePlainEditor } from './composer-settings.ts'
import { EntryFormBanners, PictureDate, UnfinishedDraftOffer } from './entry-form-banners.tsx'
import type { MovedMilestone } from './moved-entry.tsx'
import { TagsField, type TagsFieldHandle } from './tags-field.tsx'
import { TitleField } from './title-field.tsx'
import { type ComposerOptions, useComposer } from './use-composer.ts'

export type ContentTab = 'edit' | 'preview'

/** The methods of the form for the dialog; `close` returns whether the form was closed. */
export type EntryFormHandle = { close: () => boolean; focus: () => void; closeList: () => boolean }

type EntryFormProps = Omit<ComposerOptions, 'showContent' | 'addTypedTag' | 'requestSubmit'> & {
  ref: Ref<EntryFormHandle>
  /** Keeps the text as a draft, and continues with another draft. */
  onContinue: (draftId: string) => void
  /** Continues in the milestone that the entry was moved to. */
  onMoved: (moved: MovedMilestone) => void
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function allowFiles(event: DragEvent) {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}

/** The form of a new or an existing entry: title, content and tags as a page, and its properties beside it. */
export function EntryForm({ ref, onContinue, onMoved, ...options }: EntryFormProps) {
  const { source, target, onTarget, origin, original, initialDraft } = options
  const [face, setFace] = useState<ContentTab>('edit')
  const [isPlain, setPlain] = usePlainEditor()
  const input = useRef<ContentInputHandle>(null)
  const readText = useCallback(() => input.current, [])
  const toolbar = useRef<ToolbarHandle>(null)
  const tags = useRef<TagsFieldHandle>(null)
  const hasImages = useServerOptions()?.entries.images === true
  const box = useRef<HTMLFormElement>(null)
  const composer = useComposer({
    ...options,
    showContent: () => setFace('edit'),
    addTypedTag: () => tags.current?.addTyped(),
    requestSubmit: () => box.current?.requestSubmit(),
  })
  const { entry, draft, closing, files, image, dateAndState } = composer
  const { form } = entry
  const readMentionable = useReadMentionable(target.projectId)
  const visibility = useProject(target.projectId).data?.visibility ?? 'private'
  const isPublished = dateAndState.state === 'published'
  const { errors, isSubmitting } = form.formState
  const shown = face === 'preview' ? separatePictures(form.getValues('content')) : undefined
  const preview = usePreview(shown)
  useImperativeHandle(ref, () => ({
    close: closing.close,
    focus: () => form.setFocus('title'),
    closeList: () => toolbar.current?.close() === true || (input.current?.closeList() ?? false),
  }))

  /** Takes files that are pasted or dropped beside the text; the text takes its own. */
  function takeStray(event: ClipboardEvent | DragEvent, stray: File[]) {
    const { current: text } = input
    const [first] = stray
    if (!first || !files || isSubmitting || event.isDefaultPrevented()) return
    event.preventDefault()
    if (hasImages) image.choose(first)
    else if (text) void files.take(stray, text)
  }

  const question = closing.isAsking && (
    <LeaveDialog detail={closing.detail} onLeave={closing.giveUp} onStay={closing.stay} />
  )
  if (entry.conflict && composer.opened) {
    return (
      <>
        <MergeView
          conflict={entry.conflict}
          projectId={source.projectId}
          original={composer.opened}
          onDecide={composer.resolveConflict}
          onWritten={composer.setHasResult}
        />
        {question}
      </>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events come from its fields
    <form
      ref={box}
      noValidate
      onSubmit={composer.submit}
      onKeyDown={submitOnCtrlEnter}
      onPaste={(event) => takeStray(event, filesOf(event.clipboardData))}
      onDragOver={allowFiles}
      onDrop={(event) => takeStray(event, filesOf(event.dataTransfer))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs value={face} onValueChange={setFace} className="flex min-h-0 flex-1 flex-col">
        <ComposerHeader
          origin={origin}
          isNew={!original}
          draft={draft.status}
          visibility={isPublished ? visibility : 'private'}
          isSaving={composer.isSaving}
          others={
            original?.state === 'published' && (
              <OtherEditors milestoneId={source.milestoneId} entryId={original._id} />
            )
          }
          onCancel={closing.close}
        />
        <div
          className={clsx(
            'shrink-0 border-line bg-raised px-3 max-sm:order-last max-sm:border-t sm:border-b lg:pr-[20.25rem]',
            face === 'preview' && 'max-sm:hidden sm:*:invisible',
          )}
        >
          <MarkdownToolbar ref={toolbar} input={input} files={files} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain lg:flex">
          <div className="flex min-w-0 flex-1 flex-col px-5 pt-6 pb-8 sm:pt-10">
            <div className="mx-auto flex w-full max-w-reading flex-1 flex-col gap-4">
              {!original && initialDraft.text === 'none' && (
                <UnfinishedDraftOffer
                  milestoneId={source.milestoneId}
                  onContinue={(draftId) => closing.keep() && onContinue(draftId)}
                />
              )}
              <EntryFormBanners
                entry={entry}
                origin={origin}
                original={original}
                other={draft.other}
                onDiscardDraft={composer.discardDraft}
                onUndoDiscard={composer.undoDiscard}
                movedMilestone={composer.movedMilestone}
                onOpenMoved={(moved) => closing.keep() && onMoved(moved)}
              />
              <TitleField form={form} readOnly={isSubmitting} onEnter={() => input.current?.focus()} />
              {/* In one grid cell, so that the height and the scroll position of the page are the same for both. */}
              <div className="grid grid-cols-[minmax(0,1fr)] *:col-start-1 *:row-start-1">
                <TabPanel
                  value="edit"
                  forceMount
                  className="composer-text min-w-0 data-[state=inactive]:invisible data-[state=inactive]:block"
                >
                  <ContentField
                    key={String(isPlain)}
                    form={form}
                    input={input}
                    resets={entry.resets}
                    readOnly={isSubmitting}
                    plain={isPlain}
                    extension={files?.extension}
                    readMentionable={readMentionable}
                  />
                  {files && (
                    <FilesInText
                      files={files}
                      control={form.control}
                      cover={composer.cover}
                      readOnly={isSubmitting}
                      isPlain={isPlain || codeMirror.peek() === undefined}
                      text={readText}
                    />
                  )}
                </TabPanel>
                <TabPanel value="preview" className="composer-text min-h-(--text-height) min-w-0">
                  {shown !== undefined && (
                    <EntryPreview content={shown} preview={preview} className="" files={files} />
                  )}
                </TabPanel>
              </div>
              <Controller
                control={form.control}
                name="tags"
                render={({ field }) => (
                  <TagsField
                    ref={(handle) => {
                      tags.current = handle
                      field.ref(handle)
                    }}
                    tags={field.value}
                    projectId={target.projectId}
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
            dateAndState={dateAndState}
            isNew={!original}
            isMine={original?.isMine === true}
            visibility={visibility}
            onSaveAs={composer.saveAs}
            savingAs={composer.savingAs}
            target={target}
            milestoneTitle={origin.milestoneTitle}
            onTarget={onTarget}
            isPlain={isPlain}
            onPlain={setPlain}
            readOnly={composer.isSaving}
            history={
              original && (
                <HistoryButton entry={original} variant="secondary" onRestored={() => void closing.close()} />
              )
            }
            dateOffer={
              files && (
                <PictureDate
                  files={files}
                  control={form.control}
                  day={dateAndState.day}
                  onUse={dateAndState.setDay}
                  readOnly={isSubmitting}
                />
              )
            }
          >
            {files && (
              <CoverField
                files={files}
                control={form.control}
                cover={composer.cover}
                onCover={composer.setCover}
                savedCover={image.savedCover}
                hasImageSection={hasImages}
                readOnly={isSubmitting}
              />
            )}
            {files && (
              <ImageField
                hidden={!hasImages}
                files={files}
                savedURL={original?.imageURL}
                image={image}
                readOnly={isSubmitting}
              />
            )}
          </ComposerRail>
        </div>
      </Tabs>
      {question}
    </form>
  )
}
