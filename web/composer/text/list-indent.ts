import type { Edit, Selected } from './edits.ts'
import { isInFence } from './text-context.ts'

const item = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)/
/** Items above this one are not looked for farther away. */
const LINES_MAX = 2_000

type Line = { text: string; indent: number; content: number | undefined }

/** Returns a line with its indentation and, of an item, the column of its text. */
function lineOf(text: string): Line {
  const [, before = '', mark, space = ''] = item.exec(text) ?? []
  const indent = columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '')
  return {
    text,
    indent,
    content:
      mark === undefined
        ? undefined
        : columnsOf(before) + mark.length + Math.min(Math.max(space.length, 1), 4),
  }
}

/** Returns the width of white space, in which a tab goes on to the next multiple of four. */
const columnsOf = (space: string) =>
  [...space].reduce((columns, character) => columns + (character === '\t' ? 4 - (columns % 4) : 1), 0)

const isBlank = ({ text }: Line) => text.trim() === ''

/** Returns the index of the item that a line belongs to; -1 if it is in no list. */
function itemAt(lines: readonly Line[], at: number): number {
  const first = Math.max(0, at - LINES_MAX)
  let isAfterGap = false
  for (let index = at; index >= first; index--) {
    const line = lines[index]
    if (!line) return -1
    if (line.content !== undefined) return index
    if (isBlank(line)) {
      if (index === at) return -1
      isAfterGap = true
    } else if (isAfterGap && line.indent === 0) return -1
    else if (index === at && line.indent === 0 && lines[index - 1] && isBlank(lines[index - 1] as Line))
      return -1
    else if (line.indent === 0 && index !== at && /^(?:#|>|```|~~~)/.test(line.text)) return -1
  }
  return -1
}

/** Returns the last line of an item: those below it that are indented farther belong to it. */
function lastLineOf(lines: readonly Line[], at: number): number {
  const { indent } = lines[at] ?? { indent: 0 }
  let last = at
  for (let index = at + 1; index < lines.length; index++) {
    const line = lines[index] as Line
    if (isBlank(line)) continue
    if (line.indent <= indent) break
    last = index
  }
  return last
}

/** Returns the item above an item that is at most as deep and less deep than `below`, if it is in the same list. */
function itemAbove(lines: readonly Line[], at: number, below: number): Line | undefined {
  for (let index = at - 1; index >= Math.max(0, at - LINES_MAX); index--) {
    const line = lines[index] as Line
    if (line.content !== undefined && line.indent < below) return line
    if (line.content === undefined && !isBlank(line) && line.indent === 0) return undefined
  }
  return undefined
}

/** Returns the column to which an item moves: to the text of the item above, or out to its parent. */
function targetOf(lines: readonly Line[], at: number, direction: 1 | -1): number {
  const { indent } = lines[at] as Line
  if (direction === 1) return Math.max(indent, itemAbove(lines, at, indent + 1)?.content ?? indent)
  return itemAbove(lines, at, indent)?.indent ?? 0
}

/** Returns a numbered item with the number that follows the item above at its new depth. */
function renumbered(line: string, above: string | undefined): string {
  const previous = /^\s*(\d{1,9})[.)]/.exec(above ?? '')?.[1]
  return line.replace(/^(\s*)\d{1,9}(?=[.)])/, `$1${previous === undefined ? 1 : Number(previous) + 1}`)
}

/** Returns the line of the item above at the same depth and under the same parent. */
function siblingAbove(lines: readonly Line[], at: number, indent: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - LINES_MAX); index--) {
    const line = lines[index] as Line
    if (line.content === undefined) continue
    if (line.indent < indent) return undefined
    if (line.indent < indent + 2) return line.text
  }
  return undefined
}

/**
 * Moves the selected items of a list one level in or out, with what belongs to them. Returns null outside lists, and for items that are
 * out already: then Shift+Tab leaves the text. An item that cannot go farther in stays.
 */
export function indentItems(direction: 1 | -1): (selected: Selected) => Edit | null {
  return ({ text, start, end }) => {
    const lines = text.split('\n').map(lineOf)
    const startsOf: number[] = []
    let at = 0
    for (const line of lines) {
      startsOf.push(at)
      at += line.text.length + 1
    }
    const lineAt = (position: number) => startsOf.findLastIndex((from) => from <= position)
    const first = itemAt(lines, lineAt(start))
    if (first === -1 || isInFence(text, start)) return null
    const lastSelected = Math.max(first, lineAt(end > start && text[end - 1] === '\n' ? end - 1 : end))
    const depth = lines[first]?.indent ?? 0
    if (
      direction === -1 &&
      depth === 0 &&
      lines
        .slice(first, lastSelected + 1)
        .every(({ indent, content }) => content === undefined || indent === 0)
    )
      return null

    const changed = [...lines]
    let last = first
    for (let index = first; index <= lastSelected; index++) {
      if (index <= last && index !== first) continue
      const line = changed[index] as Line
      if (line.content === undefined) continue
      last = lastLineOf(changed, index)
      const by = targetOf(changed, index, direction) - line.indent
      for (let own = index; own <= last; own++) changed[own] = lineOf(moved((changed[own] as Line).text, by))
      const now = changed[index] as Line
      if (by !== 0) changed[index] = lineOf(renumbered(now.text, siblingAbove(changed, index, now.indent)))
    }
    const lastChanged = Math.max(last, lastSelected, lineAt(end))
    const from = startsOf[first] ?? 0
    const before = lines.slice(first, lastChanged + 1).map((line) => line.text)
    const after = changed.slice(first, lastChanged + 1).map((line) => line.text)
    const shift = (position: number) => shifted(position - from, before, after) + from
    const to = from + before.join('\n').length
    return { from, to, insert: after.join('\n'), start: shift(start), end: shift(end) }
  }
}

/** Returns a line with other indentation; an empty one stays. */
function moved(line: string, by: number): string {
  if (by === 0 || line.trim() === '') return line
  const space = /^[ \t]*/.exec(line)?.[0] ?? ''
  return ' '.repeat(Math.max(0, columnsOf(space) + by)) + line.slice(space.length)
}

/** Returns the offset at which a place in the text is once its lines have other beginnings. */
function shifted(offset: number, before: readonly string[], after: readonly string[]): number {
  let [old, now] = [0, 0]
  for (const [index, line] of before.entries()) {
    const changed = after[index] ?? ''
    if (offset <= old + line.length) return now + Math.max(0, changed.length - (line.length - (offset - old)))
    old += line.length + 1
    now += changed.length + 1
  }
  return now
}
