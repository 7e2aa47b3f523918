import { clsx } from 'clsx'
import {
  Bold,
  CircleQuestionMark,
  Code,
  Heading2,
  Italic,
  Link2,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
} from 'lucide-react'
import { Toolbar } from 'radix-ui'
import { type ClipboardEvent, type ComponentProps, type KeyboardEvent, type RefObject, useRef } from 'react'
import { Field, TextArea } from '#web/ui/controls/field.tsx'
import { withCommand } from '#web/ui/controls/keys.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { commandFor, type EditorCommandName, editorCommands } from './editor-commands.ts'
import { EntryPreview, usePreview } from './preview/entry-preview.tsx'
import { applyEdit, continueLines, isUrl, makeLink, selectedIn } from './text-edits.ts'

export type ContentTab = 'edit' | 'preview'

type ContentFieldProps = Omit<ComponentProps<'textarea'>, 'ref' | 'value'> & {
  ref: (area: HTMLTextAreaElement | null) => void
  /** Returns the current text, for the preview. */
  read: () => string
  face: ContentTab
  onFace: (face: ContentTab) => void
  error?: string | undefined
}

/** As high as possible while the whole editor stays visible. */
const heightClass =
  'h-[max(14rem,100dvh-28.5rem)] max-h-none min-h-[max(14rem,100dvh-28.5rem)] sm:h-[max(14rem,92dvh-25.5rem)] sm:min-h-[max(14rem,92dvh-25.5rem)]'

function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.nativeEvent.isComposing) return
  const area = event.currentTarget
  const plainEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.shiftKey
  const edit = plainEnter
    ? continueLines(selectedIn(area))
    : commandFor(event.nativeEvent)?.edit(selectedIn(area))
  if (!edit) return
  event.preventDefault()
  applyEdit(area, edit)
}

function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
  const pasted = event.clipboardData.getData('text/plain')
  const { text, start, end } = selectedIn(event.currentTarget)
  const chosen = text.slice(start, end)
  if (chosen.trim() === '' || isUrl(chosen) || !isUrl(pasted)) return
  event.preventDefault()
  applyEdit(event.currentTarget, makeLink({ text, start, end }, pasted.trim()))
}

/** The Markdown of an entry: a text box with a toolbar, and a preview. */
export function ContentField({ ref, read, face, onFace, error, ...rest }: ContentFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const shown = face === 'preview' ? read() : undefined
  const preview = usePreview(shown)

  const editing = (
    <TextArea
      {...rest}
      ref={(element) => {
        area.current = element
        ref(element)
      }}
      className={clsx(heightClass, 'resize-none! leading-7! sm:text-base!')}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  )

  const previewing = shown !== undefined && (
    <EntryPreview
      content={shown}
      preview={preview}
      className={clsx(
        heightClass,
        'overflow-y-auto rounded-md border border-line bg-surface px-4 py-3 sm:px-5',
      )}
    />
  )

  return (
    <Field label="Content" error={error}>
      <Tabs
        label="Write or look"
        value={face}
        onValueChange={onFace}
        tools={
          <div className={clsx('max-sm:w-full', face === 'preview' && 'max-sm:hidden sm:invisible')}>
            <MarkdownToolbar area={area} />
          </div>
        }
        tabs={[
          { value: 'edit', label: 'Edit', content: editing, keep: true },
          { value: 'preview', label: 'Preview', content: previewing },
        ]}
      />
    </Field>
  )
}

const icons: { [name in EditorCommandName]: LucideIcon } = {
  Bold,
  Italic,
  Heading: Heading2,
  Link: Link2,
  Quote,
  Code,
  'Numbered list': ListOrdered,
  'Bulleted list': List,
  Checklist: ListChecks,
}

const announced = (keys: string) => `Control+${keys} Meta+${keys}`

const toolClass =
  'grid size-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11'

/** The formatting buttons; each does the same as its shortcut. */
function MarkdownToolbar({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="-mx-2 mb-0.5 flex max-sm:w-[calc(100%+1rem)] max-sm:justify-between"
    >
      {editorCommands.map(({ name, keys, edit }) => {
        const Icon = icons[name]
        return (
          <Tooltip key={name} text={`${name} (${withCommand(keys)})`}>
            <Toolbar.Button
              aria-label={name}
              aria-keyshortcuts={announced(keys)}
              className={toolClass}
              onClick={() => area.current && applyEdit(area.current, edit(selectedIn(area.current)))}
            >
              <Icon className="size-4.5" aria-hidden="true" />
            </Toolbar.Button>
          </Tooltip>
        )
      })}
      <Tooltip text="How to format text">
        <Toolbar.Link
          href="/markdown-guide"
          target="_blank"
          rel="noopener"
          aria-label="How to format text"
          className={toolClass}
        >
          <CircleQuestionMark className="size-4.5" aria-hidden="true" />
        </Toolbar.Link>
      </Tooltip>
    </Toolbar.Root>
  )
}
