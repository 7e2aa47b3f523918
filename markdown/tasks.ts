import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { wordsOf } from './words.ts'

const box = /^\[([ xX])\](?:[ \t\n]+|$)/

/**
 * Items of lists that begin with `[ ]` or `[x]` become tasks: a disabled checkbox named by the task's words. Its
 * `data-task` says where in the source the character between the brackets is.
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

/** Where the sign of a task is in the source; undefined where the source is not as expected. */
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
