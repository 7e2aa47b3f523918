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
import { createElement, type RefObject, useEffect, useRef } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import { Field, useFieldWiring } from '#web/ui/field.tsx'
import { withCommand } from '#web/ui/keys.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { codeMirror } from './codemirror.ts'
import type { ContentInputHandle, ContentInputProps } from './content-input.ts'
import { type EditorCommandName, editorCommands } from './editor-commands.ts'
import type { EntryText } from './entry-draft.ts'
import { PlainInput } from './plain-input.tsx'
import { EntryPreview, usePreview } from './preview/entry-preview.tsx'
import type { EditorExtension } from './text-handle.ts'

export type ContentTab = 'edit' | 'preview'

type ContentFieldProps = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  /** How often the form was reset to another text. */
  resets: number
  readOnly: boolean
  face: ContentTab
  onFace: (face: ContentTab) => void
  extension?: EditorExtension
}

/** As high as possible while the whole editor stays visible. */
const heightClass =
  'h-[max(14rem,100dvh-28.5rem)] max-h-none min-h-[max(14rem,100dvh-28.5rem)] sm:h-[max(14rem,92dvh-25.5rem)] sm:min-h-[max(14rem,92dvh-25.5rem)]'

/** The Markdown of an entry: a text box with a toolbar, and a preview. */
export function ContentField({ form, resets, readOnly, face, onFace, extension }: ContentFieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'content' })
  const input = useRef<ContentInputHandle>(null)
  const shown = face === 'preview' ? field.value : undefined
  const preview = usePreview(shown)
  const { ref: register } = field

  useEffect(() => register({ focus: () => input.current?.focus() }), [register])

  const editing = (
    <div className={clsx(heightClass, 'overflow-y-auto rounded-md border border-edge bg-raised px-4 py-2')}>
      <ContentInput
        ref={input}
        read={() => form.getValues('content')}
        resets={resets}
        onChange={field.onChange}
        onBlur={field.onBlur}
        readOnly={readOnly}
        extension={extension}
      />
    </div>
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
    <Field label="Content" error={fieldState.error?.message}>
      <Tabs
        label="Write or look"
        value={face}
        onValueChange={onFace}
        tools={
          <div className={clsx('max-sm:w-full', face === 'preview' && 'max-sm:hidden sm:invisible')}>
            <MarkdownToolbar input={input} />
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

function ContentInput(props: Omit<ContentInputProps, 'attributes'>) {
  const { id, ...wiring } = useFieldWiring()
  const attributes = { ...wiring, 'aria-label': 'Content', ...(id && { id }) }
  return createElement(codeMirror.peek() ?? PlainInput, { ...props, attributes: toStrings(attributes) })
}

const toStrings = (attributes: object) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

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
function MarkdownToolbar({ input }: { input: RefObject<ContentInputHandle | null> }) {
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
