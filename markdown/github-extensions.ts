import type { MarkdownIt, RendererRule, StateCore, Token } from 'markdown-it'
import { leftToRight } from './directions.ts'
import { wordsOf } from './words.ts'

const marker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** GitHub's alerts: a quote that begins with `[!NOTE]` or another kind, and is not nested in another block. */
export function callouts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'callouts', findCallouts)
  md.renderer.rules.blockquote_open = (tokens, index, options, env, renderer) => {
    const token = tokens[index] as Token
    const kind = token.meta?.callout as string | undefined
    if (!kind) return renderer.renderToken(tokens, index, options)
    const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    const opening = `<blockquote class="callout" role="note" data-callout="${kind}"${renderer.renderAttrs(token)}>`
    return `${opening}\n<p class="callout-title"><strong${leftToRight(env)}>${title}</strong></p>\n`
  }
}

function findCallouts(state: StateCore): void {
  const { tokens } = state
  const taken = new Set<number>()
  tokens.forEach((token, index) => {
    const inline = tokens[index + 2]
    if (token.type !== 'blockquote_open' || token.level > 0 || inline?.type !== 'inline') return
    const [written, kind] = marker.exec(inline.content) ?? []
    if (written === undefined || !kind || tokens[index + 1]?.type !== 'paragraph_open') return
    const isAlone = written.length === inline.content.length
    if (isAlone && tokens[index + 4]?.type === 'blockquote_close') return
    token.meta = { callout: kind.toLowerCase() }
    inline.content = inline.content.slice(written.length)
    if (inline.map) inline.map = [inline.map[0] + 1, inline.map[1]]
    if (isAlone) for (const offset of [1, 2, 3]) taken.add(index + offset)
  })
  if (taken.size > 0) state.tokens = tokens.filter((_token, index) => !taken.has(index))
}

type Note = { id: number; subId?: number }

const noteOf = (token: Token | undefined): Note => (token?.meta as Note | null | undefined) ?? { id: 0 }
const number = ({ id }: Note) => id + 1
/** Returns a unique id for each reference to a note. */
const referenceId = (note: Note) => (note.subId ? `${number(note)}-${note.subId + 1}` : `${number(note)}`)

/** Renders footnotes with prefixed ids and with accessible names for their links. */
export function footnoteMarkup(md: MarkdownIt): void {
  // GitHub has no inline notes; theirs is also the only rule here that would parse text repeatedly.
  md.inline.ruler.disable('footnote_inline')
  const rules: Record<string, RendererRule> = {
    footnote_ref: (tokens, index) => {
      const note = noteOf(tokens[index])
      const link = `href="#footnote-${number(note)}" id="footnote-ref-${referenceId(note)}"`
      return `<sup><a ${link} aria-label="Footnote ${number(note)}">${number(note)}</a></sup>`
    },
    footnote_block_open: (tokens, index, _options, _env, renderer) =>
      `<section class="footnotes" aria-label="Footnotes">\n<ol${renderer.renderAttrs(tokens[index] as Token)}>\n`,
    footnote_block_close: () => '</ol>\n</section>\n',
    footnote_open: (tokens, index) => `<li id="footnote-${number(noteOf(tokens[index]))}">\n`,
    footnote_close: () => '</li>\n',
    footnote_anchor: (tokens, index) => {
      const label = `Back to reference ${referenceId(noteOf(tokens[index]))}`
      return ` <a href="#footnote-ref-${referenceId(noteOf(tokens[index]))}" aria-label="${label}">\u21a9\ufe0e</a>`
    },
  }
  Object.assign(md.renderer.rules, rules)
}

const box = /^\[([ xX])\](?:[ \t\n]+|$)/

/**
 * Turns list items that begin with `[ ]` or `[x]` into tasks: a disabled checkbox labeled by the task's text. Its
 * `data-task` is the offset in the source of the character between the brackets.
 */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'find_tasks', findTasks)
  md.core.ruler.after('inline', 'add_task_boxes', addBoxes)
  md.renderer.rules.task_box = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]
    return token ? `<input${renderer.renderAttrs(token)}> ` : ''
  }
}

function findTasks({ tokens, src }: StateCore): void {
  const lines = src.split('\n')
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  const lists: Token[] = []
  tokens.forEach((token, index) => {
    if (token.type.endsWith('_list_open')) lists.push(token)
    if (token.type.endsWith('_list_close')) lists.pop()
    if (token.type !== 'list_item_open' || tokens[index + 1]?.type !== 'paragraph_open') return
    const inline = tokens[index + 2]
    const [marker, sign] = box.exec(inline?.content ?? '') ?? []
    if (!inline || marker === undefined || marker.length === inline.content.length) return
    inline.meta = { isDone: sign !== ' ', offset: offsetOf(inline, lines, starts) }
    inline.content = inline.content.slice(marker.length)
    token.attrSet('class', 'task-list-item')
    lists.at(-1)?.attrSet('class', 'contains-task-list')
  })
}

/** Returns the offset of a task's character in the source; undefined if the source differs from the expectation. */
function offsetOf({ content, map }: Token, lines: string[], starts: number[]): number | undefined {
  const line = lines[map?.[0] ?? -1]?.trimEnd()
  const start = starts[map?.[0] ?? -1]
  const [first = ''] = content.split('\n', 1)
  if (line === undefined || start === undefined || !line.endsWith(first.trimEnd())) return undefined
  return start + line.length - first.trimEnd().length + 1
}

function addBoxes({ tokens, Token: TokenClass }: StateCore): void {
  for (const { meta, children } of tokens) {
    if (!children || meta?.isDone === undefined) continue
    const input = new TokenClass('task_box', 'input', 0)
    input.attrs = [
      ['type', 'checkbox'],
      ['disabled', ''],
      ['aria-label', wordsOf(children).trim() || 'Task'],
    ]
    if (typeof meta.offset === 'number') input.attrPush(['data-task', meta.offset])
    if (meta.isDone) input.attrPush(['checked', ''])
    children.unshift(input)
  }
}
