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
import { forceParsing } from '@codemirror/language'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import {
  cleaned,
  editForKey,
  editForPaste,
  filesOf,
  formattedPaste,
} from '#web/composer/text/content-input.ts'
import type { Edit } from '#web/composer/text/edits.ts'
import type { Finder } from '#web/composer/text/find/finder.ts'
import { insertHtml, onlyHtml } from '#web/composer/text/paste/insert-html.ts'
import type { Pasted } from '#web/composer/text/paste/paste-offer.tsx'
import { quietMarkup } from '#web/composer/text/quiet-markup.ts'
import { trackSourceLines } from '#web/composer/text/source-lines.ts'
import { createTabKey, type TabKey } from '#web/composer/text/tab-key.ts'
import type { Insert, TextHandle } from '#web/composer/text/text-handle.ts'
import { keyOf } from '#web/ui/controls/keys.ts'
import { insertList } from './insert-list.ts'
import { lineClasses, markdown } from './markdown-language.ts'
import type { ReadMentionable } from './mention-list.ts'
import { openLinks } from './open-links.ts'
import { handleOf, noteTouched, replacement } from './view-handle.ts'
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
  /** Loads the search in the text. */
  finder: () => Promise<Finder>
  /** Closes the insert list, or else lets the next Tab leave a list of the text; returns whether it did either. */
  closeList: () => boolean
  destroy: () => void
}

/** How long the first paint waits for the visible Markdown, which CodeMirror parses for 20 ms, to look as it reads. */
const FIRST_PARSE_MS = 200

constructStyleSheets()

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
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        added.of([]),
        Prec.highest(inputHandlers(tab, events)),
        openLinks,
        keymap.of([{ key: 'Enter', run: insertNewline, shift: insertNewline }]),
        insertList(events),
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
        replacement,
        placeholder('Write…'),
        EditorView.clipboardInputFilter.of(cleaned),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) events.change(state.doc.toString())
        }),
        variable.of(variableExtensions(options)),
      ],
    }),
  })
  forceParsing(view, view.viewport.to, FIRST_PARSE_MS)
  const text = handleOf(view)
  let finder: Finder | undefined
  return {
    ...text,
    replace: (next) => view.plugin(replacement)?.replace(next),
    configure: (next) => view.dispatch({ effects: variable.reconfigure(variableExtensions(next)) }),
    extend: (extension) => view.dispatch({ effects: added.reconfigure(extension) }),
    async finder() {
      const { createFinder } = await import('#web/composer/text/find/finder.ts')
      finder ??= createFinder(view)
      return finder
    },
    // While completions are pending, no list is shown yet.
    closeList: () =>
      completionStatus(view.state) === 'active'
        ? closeCompletion(view)
        : view.hasFocus && tab.release(text.selected()),
    destroy: () => view.destroy(),
  }
}

/** What keys, pasting and dropping do instead of what the browser or CodeMirror would. */
function inputHandlers(tab: TabKey, events: EditorEvents): Extension {
  function instead(event: Event, view: EditorView, edit: Edit | null | undefined): boolean {
    if (!edit || view.state.readOnly) return false
    event.preventDefault()
    handleOf(view).apply(edit)
    return true
  }

  function takeFiles(event: Event, view: EditorView, files: File[]): boolean {
    const taken = files.length > 0 && !view.state.readOnly && events.takeFiles(files, handleOf(view))
    if (taken) event.preventDefault()
    return taken
  }

  function takeHtml(event: Event, view: EditorView, transfer: DataTransfer | null): boolean {
    const html = onlyHtml(transfer)
    if (html === null || view.state.readOnly) return false
    event.preventDefault()
    void insertHtml(html, handleOf(view), events.takeFiles)
    return true
  }

  return EditorView.domEventHandlers({
    keydown(event, view) {
      if (isRedo(event)) {
        redo(view)
        return true
      }
      // Otherwise the keys go to the insert list.
      const isTyping = completionStatus(view.state) !== 'active'
      return isTyping && instead(event, view, editForKey(event, handleOf(view).selected, tab))
    },
    paste(event, view) {
      if (takeFiles(event, view, filesOf(event.clipboardData))) return true
      const pasted = event.clipboardData?.getData('text/plain') ?? ''
      if (instead(event, view, editForPaste(pasted, handleOf(view).selected))) return true
      if (takeHtml(event, view, event.clipboardData)) return true
      const formatted = formattedPaste(event.clipboardData, view.state.selection.main.from)
      if (formatted && !view.state.readOnly) events.pasted(formatted)
      return false
    },
    drop(event, view) {
      const files = filesOf(event.dataTransfer)
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      const hasOnlyHtml = onlyHtml(event.dataTransfer) !== null
      if ((files.length > 0 || hasOnlyHtml) && at !== null) {
        noteTouched(view)
        view.dispatch({ selection: { anchor: at } })
      }
      if (takeHtml(event, view, event.dataTransfer)) return true
      if (takeFiles(event, view, files)) view.focus()
      // CodeMirror would insert the bytes of a file as text.
      return files.length > 0
    },
    beforeinput: insertLines,
    focus: (_event, view) => noteTouched(view),
    blur: () => events.blur(),
  })
}

/** The largest input that the browser may insert natively; CodeMirror inserts longer ones. */
const INSERTED_MAX = 1_000

/** Inserts multi-line text, for example from dictation, because a browser would create its own line elements. */
function insertLines(event: InputEvent, view: EditorView): boolean {
  const { data } = event
  const isLong = data !== null && (data.includes('\n') || data.length > INSERTED_MAX)
  if (event.inputType !== 'insertText' || !isLong || view.composing || view.state.readOnly) return false
  event.preventDefault()
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
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
