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
import type { ContentInputHandle } from './content-input.ts'
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

/** The formatting buttons; each does the same as its shortcut. */
export function MarkdownToolbar({ input }: { input: RefObject<ContentInputHandle | null> }) {
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex w-full max-w-reading py-1 max-sm:justify-between sm:-mx-2.5"
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
