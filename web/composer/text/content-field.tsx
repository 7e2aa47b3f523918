import {
  type ClipboardEvent,
  createElement,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { Field, GrowingText } from '#web/ui/controls/field.tsx'
import { useFieldAriaProps } from '#web/ui/controls/text-input.tsx'
import { codeMirror } from './codemirror.ts'
import {
  type ContentInputHandle,
  type ContentInputProps,
  cleaned,
  editForKey,
  editForPaste,
  filesOf,
  formattedPaste,
} from './content-input.ts'
import type { Edit } from './edits.ts'
import { insertHtml, onlyHtml } from './paste/insert-html.ts'
import { type Pasted, PasteOffer } from './paste/paste-offer.tsx'
import { createTabKey, TAB_HINT } from './tab-key.ts'
import { type EditorExtension, handleOf, noteTouched, type TextHandle } from './text-handle.ts'

type ContentFieldProps = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  input: RefObject<ContentInputHandle | null>
  /** The number of times the form was reset to another text. */
  resets: number
  readOnly: boolean
  plain: boolean
  extension?: EditorExtension | undefined
  readMentionable?: ContentInputProps['readMentionable']
}

/** The Markdown of an entry, in CodeMirror or in a plain text area. */
export function ContentField({ form, input, ...rest }: ContentFieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'content' })
  const { ref: register } = field
  useEffect(() => register({ focus: () => input.current?.focus() }), [register, input])

  const [pasted, setPasted] = useState<Pasted | null>(null)

  return (
    <Field label="Content" quiet error={fieldState.error?.message}>
      <ContentInput
        {...rest}
        ref={input}
        read={() => form.getValues('content')}
        onChange={field.onChange}
        onBlur={field.onBlur}
        onPasted={setPasted}
      />
      {pasted && (
        <PasteOffer
          pasted={pasted}
          read={() => field.value}
          text={() => input.current}
          onDone={() => setPasted(null)}
        />
      )}
    </Field>
  )
}

type Props = Omit<ContentInputProps, 'attributes'> & { plain: boolean }

function ContentInput({ plain, ...props }: Props) {
  const ariaProps = useFieldAriaProps()
  const attributes = Object.entries({
    ...ariaProps,
    'aria-label': 'Content',
    'aria-description': TAB_HINT,
  }).filter(([, value]) => value !== undefined)
  return createElement(plain ? PlainInput : (codeMirror.peek() ?? PlainInput), {
    ...props,
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])),
  })
}

/** Moves the caret to the point of a drop, in browsers that tell which that is. */
function moveCaretTo({ currentTarget: area, clientX, clientY }: DragEvent<HTMLTextAreaElement>) {
  const at = document.caretPositionFromPoint?.(clientX, clientY)
  if (at?.offsetNode !== area) return
  noteTouched(area)
  area.setSelectionRange(at.offset, at.offset)
}

const plainHandle = (
  text: TextHandle | null,
  closeList: (text: TextHandle) => boolean,
): ContentInputHandle => ({
  selected: () => text?.selected() ?? { text: '', start: 0, end: 0 },
  apply: (edit) => text?.apply(edit),
  insertAtCaret: (inserted) => text?.insertAtCaret(inserted),
  focus: () => text?.focus(),
  placeCaret: () => text?.placeCaret(),
  closeList: () => text !== null && closeList(text),
  finder: () => null,
})

/** The content of an entry in a plain text area. */
function PlainInput({ ref, read, resets, ...rest }: ContentInputProps) {
  const { onChange, onBlur, onPasted, readOnly, attributes, extension } = rest
  const area = useRef<HTMLTextAreaElement>(null)
  const text = useRef<TextHandle>(null)
  const [tab] = useState(createTabKey)

  useImperativeHandle(ref, () => {
    const handle = area.current && handleOf(area.current)
    text.current = handle
    const hasFocus = () => document.activeElement === area.current
    return plainHandle(handle, (text) => hasFocus() && tab.release(text.selected()))
  })

  useEffect(() => {
    if (resets > 0 && area.current) area.current.value = read()
    // oxlint-disable-next-line react/exhaustive-deps -- the text is read again only with a reset
  }, [resets])

  function instead(event: { preventDefault: () => void }, edit: Edit | null) {
    if (!edit || readOnly) return
    event.preventDefault()
    text.current?.apply(edit)
  }

  function takeFiles(event: ClipboardEvent | DragEvent, files: File[]): boolean {
    const taken = files.length > 0 && text.current !== null && extension?.takeFiles?.(files, text.current)
    if (taken) event.preventDefault()
    return taken === true
  }

  function paste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const { clipboardData, currentTarget } = event
    if (takeFiles(event, filesOf(clipboardData))) return
    const plain = clipboardData.getData('text/plain')
    instead(event, editForPaste(plain, handleOf(currentTarget).selected))
    if (!readOnly && !event.defaultPrevented && cleaned(plain) !== plain.replaceAll(/\r\n?/g, '\n')) {
      event.preventDefault()
      text.current?.insertAtCaret(cleaned(plain))
      return
    }
    const html = onlyHtml(clipboardData)
    if (html !== null && !readOnly && text.current) {
      event.preventDefault()
      void insertHtml(html, text.current, (files, handle) => extension?.takeFiles?.(files, handle))
      return
    }
    const pasted = formattedPaste(clipboardData, currentTarget.selectionStart)
    if (pasted && !event.defaultPrevented) onPasted(pasted)
  }

  return (
    <GrowingText
      {...attributes}
      ref={area}
      name="content"
      defaultValue={read()}
      readOnly={readOnly}
      placeholder="Write…"
      className="block min-h-(--text-height) w-full resize-none bg-transparent font-reading text-[1.0625rem] leading-[1.7] outline-none"
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
      onKeyDown={(event: KeyboardEvent<HTMLTextAreaElement>) => {
        const selected = () => handleOf(event.currentTarget).selected()
        instead(event, editForKey(event.nativeEvent, selected, tab))
      }}
      onPaste={paste}
      onFocus={({ currentTarget }) => noteTouched(currentTarget)}
      onDrop={(event) => {
        const files = filesOf(event.dataTransfer)
        if (files.length > 0) moveCaretTo(event)
        if (takeFiles(event, files)) event.currentTarget.focus()
      }}
    />
  )
}
