import { closeCompletion, completionStatus } from '@codemirror/autocomplete'
import {
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertNewline,
  redo,
  standardKeymap,
} from '@codemirror/commands'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { editForKey, editForPaste, filesOf, formattedPaste } from '#web/composer/text/content-input.ts'
import type { Edit } from '#web/composer/text/edits.ts'
import type { Pasted } from '#web/composer/text/paste/paste-offer.tsx'
import { quietMarkup } from '#web/composer/text/quiet-markup.ts'
import { trackSourceLines } from '#web/composer/text/source-lines.ts'
import { createTabKey } from '#web/composer/text/tab-key.ts'
import { type Insert, insertion, type TextHandle } from '#web/composer/text/text-handle.ts'
import { keyOf } from '#web/ui/controls/keys.ts'
import { insertList } from './insert-list.ts'
import { lineClasses, markdown } from './markdown-language.ts'
import type { ReadMentionable } from './mention-list.ts'
import './markdown-editor.css'
import { StyleModule } from 'style-mod'

/** The options of an editor that may change while it is open. */
export type EditorOptions = {
  readOnly: boolean
  /** The attributes of the content, such as its accessible name. */
  attributes: { [name: string]: string }
}

/** The callbacks of the editor, and the items of its insert list besides Markdown. */
export type EditorEvents = {
  change: (text: string) => void
  blur: () => void
  pasted: (pasted: Pasted) => void
  takeFiles: (files: readonly File[], text: TextHandle) => boolean
  inserts: readonly Insert[]
  readMentionable: ReadMentionable
}

/** An editor of Markdown on a page. */
export type MarkdownEditor = TextHandle & {
  /** Replaces the text, unless it is the same; during an IME composition, only afterwards. */
  replace: (text: string) => void
  configure: (options: EditorOptions) => void
  extend: (extension: Extension) => void
  /** Closes the insert list, or else lets the next Tab leave a list of the text; returns whether it did either. */
  closeList: () => boolean
  destroy: () => void
}

constructStyleSheets()

/** The largest input that the browser may insert natively; CodeMirror inserts longer ones. */
const INSERTED_MAX = 1_000

/** Creates an editor that draws Markdown as it reads, away from the caret, without changing any of its characters. */
export function createEditor(
  parent: HTMLElement,
  doc: string,
  options: EditorOptions,
  events: EditorEvents,
): MarkdownEditor {
  const variable = new Compartment()
  const added = new Compartment()
  const tab = createTabKey()
  let waiting: string | null = null
  let isTouched = false

  const text: TextHandle = {
    selected() {
      const { doc, selection } = view.state
      return { text: doc.toString(), start: selection.main.from, end: selection.main.to }
    },
    apply({ from, to, insert, start, end }) {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: start, head: end },
        userEvent: 'input',
        scrollIntoView: true,
      })
      view.focus()
    },
    insertAtCaret: (inserted) => text.apply(insertion(text.selected(), inserted)),
    focus: () => view.focus(),
    placeCaret() {
      const { doc, selection } = view.state
      if (!isTouched && selection.main.head === 0) view.dispatch({ selection: { anchor: doc.length } })
    },
  }

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        added.of([]),
        Prec.highest(handlers()),
        keymap.of([{ key: 'Enter', run: insertNewline, shift: insertNewline }]),
        insertList(events, text),
        keymap.of([
          { key: 'Mod-]', run: indentMore },
          { key: 'Mod-[', run: indentLess },
          ...historyKeymap,
          ...standardKeymap,
        ]),
        history(),
        trackSourceLines,
        markdown(),
        lineClasses,
        quietMarkup,
        placeholder('Write…'),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) events.change(state.doc.toString())
        }),
        variable.of(variableExtensions(options)),
      ],
    }),
  })

  function handlers(): Extension {
    function instead(event: Event, edit: Edit | null | undefined): boolean {
      if (!edit || view.state.readOnly) return false
      event.preventDefault()
      text.apply(edit)
      return true
    }
    return EditorView.domEventHandlers({
      keydown(event) {
        if (!isRedo(event)) return isTyping() && instead(event, editForKey(event, text.selected, tab))
        redo(view)
        return true
      },
      paste(event) {
        if (takeFiles(event, filesOf(event.clipboardData))) return true
        const pasted = event.clipboardData?.getData('text/plain') ?? ''
        if (instead(event, editForPaste(pasted, text.selected))) return true
        const formatted = formattedPaste(event.clipboardData, view.state.selection.main.from)
        if (formatted && !view.state.readOnly) events.pasted(formatted)
        return false
      },
      drop(event) {
        const files = filesOf(event.dataTransfer)
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
        if (files.length > 0 && at !== null) {
          isTouched = true
          view.dispatch({ selection: { anchor: at } })
        }
        if (takeFiles(event, files)) view.focus()
        // CodeMirror would insert the bytes of a file as text.
        return files.length > 0
      },
      beforeinput: insertLines,
      focus: () => {
        isTouched = true
      },
      blur: () => events.blur(),
      compositionend: () => {
        setTimeout(() => waiting !== null && !view.composing && replaceNow(waiting))
      },
    })
  }

  function takeFiles(event: Event, files: File[]): boolean {
    const taken = files.length > 0 && !view.state.readOnly && events.takeFiles(files, text)
    if (taken) event.preventDefault()
    return taken
  }

  /** Whether keys go to the text, not to the insert list. */
  const isTyping = () => completionStatus(view.state) !== 'active'

  /** Inserts multi-line text, for example from dictation, because a browser would create its own line elements. */
  function insertLines(event: InputEvent): boolean {
    const { data } = event
    const isLong = data !== null && (data.includes('\n') || data.length > INSERTED_MAX)
    if (event.inputType !== 'insertText' || !isLong || view.composing || view.state.readOnly) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  }

  function replaceNow(next: string) {
    waiting = null
    if (next === view.state.doc.toString()) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
  }

  return {
    ...text,
    replace(next) {
      if (view.composing) waiting = next
      else replaceNow(next)
    },
    configure: (next) => view.dispatch({ effects: variable.reconfigure(variableExtensions(next)) }),
    extend: (extension) => view.dispatch({ effects: added.reconfigure(extension) }),
    // While completions are pending, no list is shown yet.
    closeList: () =>
      completionStatus(view.state) === 'active'
        ? closeCompletion(view)
        : view.hasFocus && tab.release(text.selected()),
    destroy: () => view.destroy(),
  }
}

/** Whether the key is Ctrl+Shift+Z, which CodeMirror treats as Undo while Caps Lock is on, and ignores on Windows. */
const isRedo = (event: KeyboardEvent) =>
  keyOf(event) === 'z' && event.shiftKey && !event.altKey && event.ctrlKey !== event.metaKey

/** Turns on writing aids of phones and of Windows (its emoji panel), which CodeMirror turns off for code. */
const prose = {
  spellcheck: 'true',
  autocorrect: 'on',
  autocapitalize: 'sentences',
  writingsuggestions: 'true',
}

const variableExtensions = ({ readOnly, attributes }: EditorOptions): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({ ...prose, ...attributes, ...(readOnly && { 'aria-readonly': 'true' }) }),
]

/**
 * Makes CodeMirror write its styles into a constructed style sheet, which the content security policy allows. For a
 * document, style-mod would insert a style element, which the policy forbids; for a shadow root it constructs a sheet. It
 * stores the choice in a symbol property, which is copied from a hidden shadow root. Call this before the
 * first editor is created.
 */
function constructStyleSheets(): void {
  const shadow = document.createElement('div').attachShadow({ mode: 'open' })
  StyleModule.mount(shadow, [])
  const chosen = Object.getOwnPropertySymbols(shadow).find(({ description }) => description === 'styleSet')
  if (chosen) Object.defineProperty(document, chosen, { value: Reflect.get(shadow, chosen) })
}
