import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'

/** What the list offers: a name, and the Markdown that it inserts before and after the caret. */
const items: readonly { name: string; before: string; after?: string }[] = [
  { name: 'Heading', before: '## ' },
  { name: 'Small heading', before: '### ' },
  { name: 'Bulleted list', before: '- ' },
  { name: 'Numbered list', before: '1. ' },
  { name: 'Checklist', before: '- [ ] ' },
  { name: 'Quote', before: '> ' },
  { name: 'Code block', before: '```\n', after: '\n```\n' },
  { name: 'Table', before: '| ', after: ' | |\n| --- | --- |\n| | |\n' },
  { name: 'Divider', before: '---\n\n' },
]

const options = items.map(({ name, before, after = '' }): Completion => {
  return {
    label: `/${name}`,
    displayLabel: name,
    apply: (view, _completion, from, to) =>
      view.dispatch({
        changes: { from, to, insert: before + after },
        selection: { anchor: from + before.length },
        userEvent: 'input.complete',
        scrollIntoView: true,
      }),
  }
})

/** Offers the list where `/` and the beginning of a name are all that a line holds, outside code. */
function source({ state, pos }: CompletionContext) {
  const line = state.doc.lineAt(pos)
  const typed = /^\/[a-z ]{0,20}$/i.exec(line.text)
  if (!typed || pos !== line.to || /Code|HTML/.test(syntaxTree(state).resolveInner(pos, -1).name)) return null
  return { from: line.from, options, validFor: /^\/[a-z ]{0,20}$/i }
}

/** The list of things to insert that `/` opens at the start of a line. */
export const insertList = autocompletion({
  override: [source],
  icons: false,
  filterStrict: true,
  compareCompletions: () => 0,
  tooltipClass: () => 'insert-list',
})
