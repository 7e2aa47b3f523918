import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { Insert } from '#web/composer/text/text-handle.ts'
import { findMentions, type ReadMentionable } from './mention-list.ts'
import { handleOf } from './view-handle.ts'

/** The items of the list: a name, and the Markdown that it inserts before and after the caret. */
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

const markdownOptions = items.map(({ name, before, after = '' }): Completion => {
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

/** An option that removes the typed text and runs an action. */
const optionOf = ({ name, run }: Insert): Completion => ({
  label: `/${name}`,
  displayLabel: name,
  apply(view, _completion, from, to) {
    view.dispatch({ changes: { from, to }, userEvent: 'input.complete' })
    run(handleOf(view))
  },
})

/** Opens the list if a line outside code consists of `/` and the beginning of a name. */
function find({ state, pos }: CompletionContext, options: readonly Completion[]) {
  const line = state.doc.lineAt(pos)
  const typed = /^\/[a-z ]{0,20}$/i.exec(line.text)
  if (!typed || pos !== line.to || /Code|HTML/.test(syntaxTree(state).resolveInner(pos, -1).name)) return null
  return { from: line.from, options: [...options], validFor: /^\/[a-z ]{0,20}$/i }
}

type Lists = { inserts: readonly Insert[]; readMentionable: ReadMentionable }

/** The list that `/` opens at the start of a line, with Markdown and the given `inserts`, and the list of people that `@` opens. */
export function insertList({ inserts, readMentionable }: Lists): Extension {
  const options = [...markdownOptions, ...inserts.map(optionOf)]
  return autocompletion({
    override: [(context) => find(context, options), (context) => findMentions(context, readMentionable)],
    icons: false,
    filterStrict: true,
    compareCompletions: () => 0,
    tooltipClass: () => 'insert-list',
  })
}
