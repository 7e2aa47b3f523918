import type { KeyboardEvent, RefObject } from 'react'
import { Controller } from 'react-hook-form'
import { separatePictures } from '#web/composer/attachments/file-text.ts'
import { FilesInText } from '#web/composer/attachments/files-in-text.tsx'
import { EntryPreview, usePreview } from '#web/composer/preview/entry-preview.tsx'
import { codeMirror } from '#web/composer/text/codemirror.ts'
import { ContentField } from '#web/composer/text/content-field.tsx'
import type { ContentInputHandle } from '#web/composer/text/content-input.ts'
import { TabPanel } from '#web/ui/controls/tabs.tsx'
import { useReadMentionable } from '#web/watching/queries.ts'
import { TagsField, type TagsFieldHandle } from './tags-field.tsx'
import { TitleField } from './title-field.tsx'
import type { Composer } from './use-composer.ts'

export type ContentTab = 'edit' | 'preview'

type WrittenPageProps = {
  composer: Composer
  input: RefObject<ContentInputHandle | null>
  tags: RefObject<TagsFieldHandle | null>
  face: ContentTab
  isPlain: boolean
}

/** Whether it is the input of the content, not a field that a picture within the text has. */
const isContent = (target: EventTarget) =>
  target instanceof Element && target.getAttribute('aria-label') === 'Content'

/** Title, content and tags as a page, or its preview. */
export function WrittenPage({ composer, input, tags, face, isPlain }: WrittenPageProps) {
  const { entry, files, cover, target } = composer
  const { form, resets } = entry
  const { errors, isSubmitting } = form.formState
  const readMentionable = useReadMentionable(target.projectId)
  const shown = face === 'preview' ? separatePictures(form.getValues('content')) : undefined
  const preview = usePreview(shown)

  /** The title is the line above the text. */
  function leaveUpwards(event: KeyboardEvent) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (key !== 'ArrowUp' || shiftKey || ctrlKey || metaKey || altKey || !isContent(event.target)) return
    if (input.current?.selected().end !== 0) return
    event.preventDefault()
    event.stopPropagation()
    form.setFocus('title')
  }

  return (
    <>
      <TitleField form={form} readOnly={isSubmitting} onLeave={() => input.current?.focus()} />
      {/* In one grid cell, so that the height and the scroll position of the page are the same for both. */}
      <div className="grid grid-cols-[minmax(0,1fr)] *:col-start-1 *:row-start-1">
        {/* No stop of the Tab key, which leads from the title to the text: what is typed after it belongs there. */}
        <TabPanel
          value="edit"
          forceMount
          tabIndex={-1}
          onKeyDownCapture={leaveUpwards}
          className="composer-text min-w-0 data-[state=inactive]:invisible data-[state=inactive]:block"
        >
          <ContentField
            key={String(isPlain)}
            form={form}
            input={input}
            resets={resets}
            readOnly={isSubmitting}
            plain={isPlain}
            extension={files?.extension}
            readMentionable={readMentionable}
          />
          {files && (
            <FilesInText
              files={files}
              control={form.control}
              cover={cover.cover}
              readOnly={isSubmitting}
              isPlain={isPlain || codeMirror.peek() === undefined}
              text={() => input.current}
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
    </>
  )
}
