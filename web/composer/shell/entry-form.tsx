import { clsx } from 'clsx'
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useServerOptions } from '#web/api/server-options.ts'
import { MergeView } from '#web/composer/merge/merge-view.tsx'
import { codeMirror } from '#web/composer/text/codemirror.ts'
import { type ContentInputHandle, filesOf } from '#web/composer/text/content-input.ts'
import { type Finding, useFinding } from '#web/composer/text/find/use-finding.tsx'
import { MarkdownToolbar, type ToolbarHandle } from '#web/composer/text/markdown-toolbar.tsx'
import { LeaveDialog } from '#web/forms/leave-guard.tsx'
import { useProject } from '#web/projects/queries.ts'
import { keyOf } from '#web/ui/controls/keys.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { ComposerHeader } from './composer-header.tsx'
import { ComposerRail } from './composer-rail.tsx'
import { usePlainEditor } from './composer-settings.ts'
import { EntryFormBanners, UnfinishedDraftOffer } from './entry-form-banners.tsx'
import type { MovedMilestone } from './moved-entry.tsx'
import type { TagsFieldHandle } from './tags-field.tsx'
import { type Composer, type ComposerOptions, useComposer } from './use-composer.ts'
import { type ContentTab, WrittenPage } from './written-page.tsx'

/** The methods of the form for the dialog; `close` returns whether the form was closed. */
export type EntryFormHandle = {
  close: () => boolean
  focus: (field?: 'title' | 'content') => void
  closeList: () => boolean
  /** Whether nothing was typed, chosen or added since it was opened, and it is not being saved. */
  isUntouched: () => boolean
  /** Whether it was opened with this version of the entry. */
  isOf: (entry: { version: number }) => boolean
  /** Leaves the draft to a form with a newer text. */
  giveWay: () => void
}

type EntryFormProps = Omit<ComposerOptions, 'showContent' | 'addTypedTag'> & {
  ref: Ref<EntryFormHandle>
  /** Keeps the text as a draft, and continues with another draft. */
  onContinue: (draftId: string) => void
  /** Continues in the milestone that the entry was moved to. */
  onMoved: (moved: MovedMilestone) => void
}

/** The form of a new or an existing entry: title, content and tags as a page, and its properties beside it. */
export function EntryForm({ ref, onContinue, onMoved, ...options }: EntryFormProps) {
  const [face, setFace] = useState<ContentTab>('edit')
  const [isPlain, setPlain] = usePlainEditor()
  const input = useRef<ContentInputHandle>(null)
  const toolbar = useRef<ToolbarHandle>(null)
  const tags = useRef<TagsFieldHandle>(null)
  const finding = useFinding(input)
  const composer = useComposer({
    ...options,
    showContent: () => setFace('edit'),
    addTypedTag: () => tags.current?.addTyped(),
  })
  const { entry, closing, dateAndState, opened } = composer
  const visibility = useProject(options.target.projectId).data?.visibility ?? 'private'
  useFormHandle(ref, composer, {
    hasTypedTag: () => tags.current?.hasTyped() ?? false,
    closeList() {
      if (toolbar.current?.close()) return true
      return finding.close() || (input.current?.closeList() ?? false)
    },
  })

  function show(shown: ContentTab) {
    // The browser finds everything in the preview.
    finding.end()
    setFace(shown)
  }

  function showPlain(plain: boolean) {
    finding.end()
    setPlain(plain)
  }

  const question = closing.isAsking && (
    <LeaveDialog detail={closing.detail} onLeave={closing.giveUp} onStay={closing.stay} />
  )
  if (entry.conflict && opened) {
    return (
      <>
        <Merging composer={composer} conflict={entry.conflict} opened={opened} />
        {question}
      </>
    )
  }
  return (
    <FormBox composer={composer} input={input} find={face === 'edit' && finding.press}>
      <Tabs value={face} onValueChange={show} className="flex min-h-0 flex-1 flex-col">
        <ComposerHeader
          composer={composer}
          visibility={dateAndState.state === 'published' ? visibility : 'private'}
        />
        <ToolbarPlace isHidden={face === 'preview'}>
          <MarkdownToolbar
            ref={toolbar}
            input={input}
            files={composer.files}
            find={isPlain || codeMirror.peek() === undefined ? undefined : finding.open}
          />
        </ToolbarPlace>
        {finding.bar}
        <ScrolledPage
          rail={
            <ComposerRail composer={composer} visibility={visibility} isPlain={isPlain} onPlain={showPlain} />
          }
        >
          {!options.original && options.initialDraft.text === 'none' && (
            <UnfinishedDraftOffer
              milestoneId={options.source.milestoneId}
              onContinue={(draftId) => closing.keep() && onContinue(draftId)}
            />
          )}
          <EntryFormBanners composer={composer} onOpenMoved={(moved) => closing.keep() && onMoved(moved)} />
          <WrittenPage composer={composer} input={input} tags={tags} face={face} isPlain={isPlain} />
        </ScrolledPage>
      </Tabs>
      {question}
    </FormBox>
  )
}

type FormParts = { hasTypedTag: () => boolean; closeList: () => boolean }

function useFormHandle(
  ref: Ref<EntryFormHandle>,
  { closing, entry, draft, opened, isBusy }: Composer,
  { hasTypedTag, closeList }: FormParts,
) {
  useImperativeHandle(ref, () => ({
    close: closing.close,
    focus: (field = 'title') => entry.form.setFocus(field),
    closeList,
    isUntouched: () => !draft.isTouched() && !isBusy() && !hasTypedTag(),
    isOf: ({ version }) => opened?.version === version,
    giveWay: closing.keep,
  }))
}

type MergingProps = {
  composer: Composer
  conflict: NonNullable<Composer['entry']['conflict']>
  opened: NonNullable<Composer['opened']>
}

/** In place of the form, when somebody else has saved the entry. */
function Merging({ composer, conflict, opened }: MergingProps) {
  return (
    <MergeView
      conflict={conflict}
      projectId={composer.source.projectId}
      original={opened}
      onDecide={composer.resolveConflict}
      onWritten={composer.setHasResult}
    />
  )
}

/** Above the page, or on a phone below it. */
function ToolbarPlace({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  const place = 'max-sm:order-last max-sm:border-t sm:border-b lg:pr-[20.25rem]'
  return (
    <div
      className={clsx(
        'shrink-0 border-line bg-raised px-3',
        place,
        isHidden && 'max-sm:hidden sm:*:invisible',
      )}
    >
      {children}
    </div>
  )
}

/** What is written, which scrolls together with the properties beside or below it. */
function ScrolledPage({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain lg:flex">
      <div className="flex min-w-0 flex-1 flex-col px-5 pt-6 pb-8 sm:pt-10">
        <div className="mx-auto flex w-full max-w-reading flex-1 flex-col gap-4">{children}</div>
      </div>
      {rail}
    </div>
  )
}

type FormBoxProps = {
  composer: Composer
  input: RefObject<ContentInputHandle | null>
  find: false | Finding['press']
  children: ReactNode
}

/** The form element. It takes files that are pasted or dropped beside the text; the text takes its own. */
function FormBox({ composer: { entry, draft, files, cover, submit }, input, find, children }: FormBoxProps) {
  const hasImages = useServerOptions()?.entries.images === true

  function takeStray(event: ClipboardEvent | DragEvent, stray: File[]) {
    const { current: text } = input
    const [first] = stray
    if (!first || !files || entry.form.formState.isSubmitting || event.isDefaultPrevented()) return
    event.preventDefault()
    if (hasImages) cover.choose(first)
    else if (text) void files.take(stray, text)
  }

  function submitTyped(event: FormEvent) {
    // React would let it bubble to a form around this dialog.
    event.stopPropagation()
    event.preventDefault()
    submit()
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (find && find(event.nativeEvent)) return event.preventDefault()
    if (event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
    if (event.key !== 'Enter' && keyOf(event) !== 's') return
    event.preventDefault()
    if (event.key === 'Enter') return event.currentTarget.requestSubmit()
    draft.store()
    void draft.flush()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events come from its fields
    <form
      noValidate
      onSubmit={submitTyped}
      onKeyDown={onKeyDown}
      onPaste={(event) => takeStray(event, filesOf(event.clipboardData))}
      onDragOver={allowFiles}
      onDrop={(event) => takeStray(event, filesOf(event.dataTransfer))}
      className="flex min-h-0 flex-1 flex-col"
    >
      {children}
    </form>
  )
}

function allowFiles(event: DragEvent) {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}
