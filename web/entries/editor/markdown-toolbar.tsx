import {
  Bold,
  CircleQuestionMark,
  Code,
  Heading2,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListChecks,
  ListIndentDecrease,
  ListIndentIncrease,
  ListOrdered,
  type LucideIcon,
  Paperclip,
  Quote,
} from 'lucide-react'
import { Toolbar } from 'radix-ui'
import { type RefObject, useRef } from 'react'
import { PICTURES } from '#web/files/validate-files.ts'
import { withCommand } from '#web/ui/controls/keys.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import type { ContentInputHandle } from './content-input.ts'
import { type EditorCommandName, editorCommands } from './editor-commands.ts'
import type { EntryFiles } from './files/entry-files.ts'
import { indentItems } from './list-indent.ts'

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

const indents = [
  { name: 'Move item in', keys: 'Tab', direction: 1, Icon: ListIndentIncrease },
  { name: 'Move item out', keys: 'Shift+Tab', direction: -1, Icon: ListIndentDecrease },
] as const

const announced = (keys: string) => `Control+${keys} Meta+${keys}`

const toolClass =
  'grid size-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-sm:w-auto max-sm:flex-1 pointer-coarse:h-11'

type MarkdownToolbarProps = {
  input: RefObject<ContentInputHandle | null>
  files: EntryFiles | undefined
}

/** The formatting buttons, and those that add pictures and other files; each does the same as its shortcut. */
export function MarkdownToolbar({ input, files }: MarkdownToolbarProps) {
  const picker = useRef<HTMLInputElement>(null)

  function moveItems(direction: 1 | -1) {
    const edit = input.current && indentItems(direction)(input.current.selected())
    if (edit) input.current?.apply(edit)
    else input.current?.focus()
  }

  function pickPictures() {
    // Before the picker opens: when it closes, with or without a picture, the browser returns the focus there.
    if (input.current) files?.focus(input.current)
    picker.current?.click()
  }

  function takeChosen() {
    const { current } = picker
    const chosen = [...(current?.files ?? [])]
    if (input.current && chosen.length > 0) {
      files?.focus(input.current)
      void files?.take(chosen, input.current)
    }
    // The same file may be chosen again.
    if (current) current.value = ''
  }

  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="mx-auto flex max-w-reading py-1 max-sm:flex-wrap max-sm:*:flex-1"
    >
      {editorCommands.map(({ name, keys, edit }) => {
        const Icon = icons[name]
        return (
          <Tooltip key={name} text={`${name} (${withCommand(keys)})`}>
            <Toolbar.Button
              aria-label={name}
              aria-keyshortcuts={announced(keys)}
              className={toolClass}
              onClick={() => input.current?.apply(edit(input.current.selected()))}
            >
              <Icon className="size-4.5" aria-hidden="true" />
            </Toolbar.Button>
          </Tooltip>
        )
      })}
      {indents.map(({ name, keys, direction, Icon }) => (
        <Tooltip key={name} text={`${name} (${keys} in a list)`}>
          <Toolbar.Button
            aria-label={name}
            aria-keyshortcuts={keys}
            className={toolClass}
            onClick={() => moveItems(direction)}
          >
            <Icon className="size-4.5" aria-hidden="true" />
          </Toolbar.Button>
        </Tooltip>
      ))}
      {files && (
        <>
          <Tooltip text="Add picture">
            <Toolbar.Button aria-label="Add picture" className={toolClass} onClick={pickPictures}>
              <ImagePlus className="size-4.5" aria-hidden="true" />
            </Toolbar.Button>
          </Tooltip>
          <input
            ref={picker}
            type="file"
            accept={`${PICTURES},video/mp4,video/webm`}
            multiple
            hidden
            aria-label="Pictures"
            onChange={takeChosen}
          />
          <Tooltip text="Add file">
            <Toolbar.Button
              aria-label="Add file"
              className={toolClass}
              onClick={() => input.current && files.pick('', input.current)}
            >
              <Paperclip className="size-4.5" aria-hidden="true" />
            </Toolbar.Button>
          </Tooltip>
        </>
      )}
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
