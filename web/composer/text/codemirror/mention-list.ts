import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { fold } from '#contract/parts/folding.ts'

/** Returns the names of the people whom a text can mention; none if they cannot be fetched. */
export type ReadMentionable = () => Promise<readonly string[]>

/** A sign that does not follow a word, as in an email address or a URL, and the beginning of a name. Scripts that join words are no obstacle. */
const TYPED =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.+/@＠-])[@＠]([\p{L}\p{N}\p{M}_.'’ -]{0,40})$/u
const OPTIONS_MAX = 20
const CALLOUT = /^>\s{0,3}\[!\w+\]/

/** Offers the people to mention whose names, or words of them, begin with what follows `@` before the caret, where the server finds mentions. */
export async function findMentions(
  { state, pos }: CompletionContext,
  readMentionable: ReadMentionable,
): Promise<CompletionResult | null> {
  const line = state.doc.lineAt(pos)
  const typed = TYPED.exec(line.text.slice(0, pos - line.from))?.[1]
  if (typed === undefined || isUnaddressed(state, pos)) return null
  const options = mentionsOf(await readMentionable(), typed)
  // A name that is complete leaves Enter to the text.
  const [first] = options
  const isComplete = options.length === 1 && fold(first?.displayLabel ?? '') === fold(typed)
  return options.length === 0 || isComplete ? null : { from: pos - typed.length - 1, options, filter: false }
}

/** Whether a text is code, or what somebody else said. */
function isUnaddressed(state: EditorState, pos: number): boolean {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, -1); node; node = node.parent) {
    if (/Code|HTML/.test(node.name)) return true
    if (node.name === 'Blockquote' && !CALLOUT.test(state.sliceDoc(node.from, node.from + 30))) return true
  }
  return false
}

/** Returns the options for the beginning of a name: first those that begin with it. */
export function mentionsOf(names: readonly string[], typed: string): Completion[] {
  const wanted = fold(typed)
  const rank = (name: string) => {
    const folded = fold(name)
    if (folded.startsWith(wanted)) return 0
    return folded.includes(` ${wanted}`) ? 1 : 2
  }
  const ranked = names.map((name) => ({ name, rank: rank(name) })).filter((each) => each.rank < 2)
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, OPTIONS_MAX)
    .map(({ name }) => optionOf(name))
}

const optionOf = (name: string): Completion => ({
  label: `@${name}`,
  displayLabel: name,
  apply(view, _completion, from, to) {
    const next = view.state.doc.sliceString(to, to + 1)
    const insert = `@${name}${/\s/.test(next) ? '' : ' '}`
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
  },
})
