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
import type { RefObject } from 'react'
import { withCommand } from '#web/ui/keys.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { applyEdit, selectedIn } from './apply-edit.ts'
import { type EditorCommandName, editorCommands } from './editor-commands.ts'

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

/** The buttons above the text: each does to the selection what its shortcut does. */
export function MarkdownToolbar({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
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
