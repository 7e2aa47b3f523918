import { clsx } from 'clsx'
import {
  Bold,
  CircleQuestionMark,
  Code,
  Ellipsis,
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
  Search,
} from 'lucide-react'
import { Toolbar } from 'radix-ui'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { PICTURES } from '#web/files/validate-files.ts'
import { withCommand } from '#web/ui/controls/keys.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import type { ContentInputHandle } from './content-input.ts'
import { type EditorCommandName, editorCommands } from './editor-commands.ts'
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

/** What most entries need, and what few do. */
const often: EditorCommandName[] = ['Bold', 'Italic', 'Heading', 'Link', 'Bulleted list', 'Checklist']
const seldom: EditorCommandName[] = ['Numbered list', 'Quote', 'Code']

const toolClass =
  'grid size-9 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11 max-sm:w-full max-sm:min-w-[24px] [&_svg]:size-4.5'

/** `close` closes the further tools; it returns whether they were open. */
export type ToolbarHandle = { close: () => boolean }

type MarkdownToolbarProps = {
  ref: Ref<ToolbarHandle>
  input: RefObject<ContentInputHandle | null>
  files: EntryFiles | undefined
  /** Opens the search in the text; absent where that of the browser finds everything. */
  find?: (() => void) | undefined
}

/** The buttons that add pictures and format the text, the most used first; each does the same as its shortcut. */
export function MarkdownToolbar({ ref, input, files, find }: MarkdownToolbarProps) {
  function moveItems(direction: 1 | -1) {
    const edit = input.current && indentItems(direction)(input.current.selected())
    if (edit) input.current?.apply(edit)
    else input.current?.focus()
  }

  const command = (name: EditorCommandName) => {
    const found = editorCommands.find((one) => one.name === name)
    if (!found) return null
    const { keys, edit } = found
    const Icon = icons[name]
    return (
      <Tool
        key={name}
        label={name}
        tip={`${name} (${withCommand(keys)})`}
        shortcuts={announced(keys)}
        icon={<Icon />}
        onPress={() => input.current?.apply(edit(input.current.selected()))}
      />
    )
  }

  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="mx-auto flex max-w-reading py-1 max-sm:*:min-w-0 max-sm:*:flex-1 sm:flex-wrap"
    >
      {files && <PictureTool input={input} files={files} />}
      {often.map(command)}
      <More ref={ref}>
        {seldom.map(command)}
        {indents.map(({ name, keys, direction, Icon }) => (
          <Tool
            key={name}
            label={name}
            tip={`${name} (${keys} in a list)`}
            shortcuts={keys}
            icon={<Icon />}
            onPress={() => moveItems(direction)}
          />
        ))}
        {files && (
          <Tool
            label="Add file"
            icon={<Paperclip />}
            onPress={() => input.current && files.pick('', input.current)}
          />
        )}
        {find && (
          <Tool
            label="Find in the text"
            tip={`Find in the text (${withCommand('F')})`}
            shortcuts={announced('F')}
            icon={<Search />}
            onPress={find}
          />
        )}
        <Tooltip text="How to format text">
          <Toolbar.Link
            href="/markdown-guide"
            target="_blank"
            rel="noopener"
            aria-label="How to format text"
            className={toolClass}
          >
            <CircleQuestionMark aria-hidden="true" />
          </Toolbar.Link>
        </Tooltip>
      </More>
    </Toolbar.Root>
  )
}

type PictureToolProps = Pick<MarkdownToolbarProps, 'input'> & { files: EntryFiles }

/** The button that adds pictures, and their picker. */
function PictureTool({ input, files }: PictureToolProps) {
  const picker = useRef<HTMLInputElement>(null)

  function pickPictures() {
    // Before the picker opens: when it closes, with or without a picture, the browser returns the focus there.
    if (input.current) files.focus(input.current)
    picker.current?.click()
  }

  function takeChosen() {
    const { current } = picker
    const chosen = [...(current?.files ?? [])]
    if (input.current && chosen.length > 0) {
      files.focus(input.current)
      void files.take(chosen, input.current)
    }
    // The same file may be chosen again.
    if (current) current.value = ''
  }

  return (
    <>
      <Tool label="Add picture" icon={<ImagePlus />} onPress={pickPictures} />
      <input
        ref={picker}
        type="file"
        accept={`${PICTURES},video/mp4,video/webm`}
        multiple
        hidden
        aria-label="Pictures"
        onChange={takeChosen}
      />
    </>
  )
}

type ToolProps = { label: string; tip?: string; shortcuts?: string; icon: ReactNode; onPress: () => void }

function Tool({ label, tip = label, shortcuts, icon, onPress }: ToolProps) {
  return (
    <Tooltip text={tip}>
      <Toolbar.Button
        aria-label={label}
        aria-keyshortcuts={shortcuts}
        className={toolClass}
        onClick={onPress}
      >
        {icon}
      </Toolbar.Button>
    </Tooltip>
  )
}

/** The tools that are used seldom, behind one button; a press of one, or anywhere else, closes them. */
function More({ ref, children }: { ref: Ref<ToolbarHandle>; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()

  useImperativeHandle(ref, () => ({
    close() {
      if (!isOpen) return false
      setOpen(false)
      box.current?.querySelector('button')?.focus()
      return true
    },
  }))

  useEffect(() => {
    if (!isOpen) return undefined
    const ended = new AbortController()
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
    }
    for (const event of ['pointerdown', 'focusin'])
      document.addEventListener(event, closeElsewhere, { signal: ended.signal })
    return () => ended.abort()
  }, [isOpen])

  return (
    <div ref={box} className="relative flex">
      <Tooltip text="More formatting">
        <Toolbar.Button
          aria-label="More formatting"
          aria-expanded={isOpen}
          aria-controls={id}
          className={clsx(toolClass, isOpen && 'bg-hover text-ink')}
          onClick={() => setOpen(!isOpen)}
        >
          <Ellipsis aria-hidden="true" />
        </Toolbar.Button>
      </Tooltip>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- of its buttons */}
      <div
        id={id}
        hidden={!isOpen}
        onClick={() => setOpen(false)}
        className="absolute right-0 z-20 flex w-max rounded-lg border border-line bg-raised p-1 shadow-lg [[hidden]]:hidden max-sm:bottom-full max-sm:mb-2 sm:top-full sm:mt-1"
      >
        {children}
      </div>
    </div>
  )
}
