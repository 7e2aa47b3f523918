import type { Edit, Selected } from './edits.ts'
import { indentItems } from './list-indent.ts'
import { toggleMark } from './marks.ts'
import { codeBlocksOf, isInFence } from './text-context.ts'

/** Formats code: within a line by backticks, several lines by a fence. */
export function markCode(selected: Selected): Edit {
  const { text, start, end } = selected
  if (!text.slice(start, end).includes('\n')) return toggleMark('`')(selected)
  const before = start === 0 || text[start - 1] === '\n' ? '```\n' : '\n```\n'
  const after = text[end] === '\n' || end === text.length ? '\n```' : '\n```\n'
  const insert = before + text.slice(start, end) + after
  return { from: start, to: end, insert, start: start + before.length, end: end + before.length }
}

const list = /^(\s*)(?:[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )/
const heading = /^(\s*)#{1,6} /
const quote = /^(\s*)> ?/

type LineMark = { own: RegExp; replaces: RegExp; write: (number: number) => string }

const marks = {
  heading: { own: /^\s*## /, replaces: heading, write: () => '## ' },
  quote: { own: quote, replaces: quote, write: () => '> ' },
  bullets: { own: /^\s*[-*+] (?!\[[ xX]\] )/, replaces: list, write: () => '- ' },
  numbers: { own: /^\s*\d{1,9}[.)] /, replaces: list, write: (number) => `${number}. ` },
  tasks: { own: /^\s*[-*+] \[[ xX]\] /, replaces: list, write: () => '- [ ] ' },
} satisfies { [name: string]: LineMark }

function wholeLines({ text, start, end }: Selected): { from: number; to: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lastCharacter = end > start && text[end - 1] === '\n' ? end - 1 : end
  const to = text.indexOf('\n', lastCharacter)
  return { from: start === 0 ? 0 : from, to: to === -1 ? text.length : to }
}

/** Adds a mark to the start of each selected line, replacing an incompatible one, or removes it if all lines have it. */
export function toggleLines(name: keyof typeof marks): (selected: Selected) => Edit {
  const { own, replaces, write }: LineMark = marks[name]
  return (selected) => {
    const { from, to } = wholeLines(selected)
    const lines = selected.text.slice(from, to).split('\n')
    const written = lines.filter((line) => line.trim() !== '')
    const removes = written.length > 0 && written.every((line) => own.test(line))
    let number = 0
    const changed = lines.map((line) => {
      if (removes) return line.replace(replaces, '$1')
      if (line.trim() === '' && lines.length > 1) return line
      number += 1
      const bare = line.replace(replaces, '$1')
      const indent = /^\s*/.exec(bare)?.[0] ?? ''
      return indent + write(number) + bare.slice(indent.length)
    })
    const insert = changed.join('\n')
    const end = from + insert.length
    const caretAlone = selected.start === selected.end
    return { from, to, insert, start: caretAlone ? end : from, end }
  }
}

/**
 * Returns the edit of Enter: in an item or quote it begins the next one; an empty item moves out, or ends its list; in an indented line it
 * keeps the indentation, so that what follows stays in its item or code. Else null.
 */
export function continueLines({ text, start, end }: Selected): Edit | null {
  if (start !== end) return null
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const [quote = ''] = /^(?: {0,3}> ?){0,40}/.exec(line) ?? []
  const [item = '', number, closing] =
    /^\s*(?:[-*+] \[[ xX]\] |[-*+] |(\d{1,9})([.)]) )/.exec(line.slice(quote.length)) ?? []
  const prefix = quote + item
  if (start === 0) return null
  const fence = codeBlocksOf(text).find((block) => start > block.start && start < block.end)
  if (fence) return keepIndent(start, beginningOf(line, text.slice(fence.start, fence.end)))
  if (item === '') {
    const indent = /^[ \t]*/.exec(line.slice(quote.length))?.[0] ?? ''
    if (indent !== '') return continueIndented({ text, start, from, quote, indent })
  }
  if (prefix === '') return null
  const isEmpty = line === prefix && (text[start] ?? '\n') === '\n'
  // An empty item ends its list, not the quote around it.
  const left = item === '' ? from : from + quote.length
  const outer = isEmpty && /^[ \t]/.test(item) ? indentItems(-1)({ text, start, end }) : null
  if (outer) return outer
  if (isEmpty) return endedAt(left, start, item === '' ? '' : quote, text.slice(0, from))
  if (number) return continueNumbers({ text, start }, prefix, Number(number), closing ?? '.')
  const next = quote + item.replace(/\[[xX]\]/, '[ ]')
  const caret = start + 1 + next.length
  return { from: start, to: start, insert: `\n${next}`, start: caret, end: caret }
}

/** Ends a list or a quote: directly below its text, what is typed next would still belong to it. */
function endedAt(left: number, to: number, quote: string, above: string): Edit {
  const last = above.slice(above.lastIndexOf('\n', above.length - 2) + 1)
  const insert = last.replaceAll(/[\s>]/g, '') === '' ? '' : `\n${quote}`
  return { from: left, to, insert, start: left + insert.length, end: left + insert.length }
}

/** Lines below a numbered item that are read for its neighbors. */
const BELOW_MAX = 2_000

/** Begins the next item of a numbered list, and counts those below it on, as long as they are in order. */
function continueNumbers(
  { text, start }: { text: string; start: number },
  prefix: string,
  number: number,
  closing: string,
): Edit {
  const [before = '', after = ''] = prefix.split(/\d{1,9}[.)]/)
  const next = `${before}${number + 1}${closing}${after}`
  const [rest = '', ...below] = text.slice(start).split('\n', BELOW_MAX)
  const counted: string[] = []
  let changed = 0
  for (let expected = number + 1; counted.length < below.length; ) {
    const line = below[counted.length] ?? ''
    const own = line.startsWith(`${before}${expected}${closing} `)
    const isWithin = line.trim() === '' || line.startsWith(`${before} `)
    if (!own && !isWithin) break
    if (own) expected += 1
    counted.push(
      own ? `${before}${expected}${line.slice(before.length + String(expected - 1).length)}` : line,
    )
    if (own) changed = counted.length
  }
  const kept = changed === 0 ? '' : [rest, ...counted.slice(0, changed)].join('\n')
  const old = changed === 0 ? '' : [rest, ...below.slice(0, changed)].join('\n')
  const caret = start + 1 + next.length
  return { from: start, to: start + old.length, insert: `\n${next}${kept}`, start: caret, end: caret }
}

/** Returns the edit of Backspace directly behind the mark of an item, which removes it as a whole; else null. */
export function removeMarker({ text, start, end }: Selected): Edit | null {
  if (start !== end) return null
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const [, mark] = /^(?: {0,4}>){0,40}[ \t]*((?:[-*+] \[[ xX]\]|[-*+]|\d{1,9}[.)]) )$/.exec(line) ?? []
  if (mark === undefined || start === 0 || isInFence(text, start)) return null
  const from = start - mark.length
  return { from, to: start, insert: '', start: from, end: from }
}

/** Returns the indentation of a line of code, with the quotes that its block is in. */
function beginningOf(line: string, block: string): string {
  const [quote = ''] = /^(?: {0,3}> ?){0,40}/.exec(block) ?? []
  const own = line.startsWith(quote) ? quote : ''
  return own + (/^[ \t]*/.exec(line.slice(own.length))?.[0] ?? '')
}

/** Breaks a line, and begins the next one as it begins; null if it begins with its text. */
function keepIndent(at: number, indent: string): Edit | null {
  if (indent === '') return null
  const caret = at + 1 + indent.length
  return { from: at, to: at, insert: `\n${indent}`, start: caret, end: caret }
}

type Indented = { text: string; start: number; from: number; quote: string; indent: string }

/** Enter in an indented line. The first one in an empty line begins a paragraph of the same item, the second one ends it. */
function continueIndented({ text, start, from, quote, indent }: Indented): Edit | null {
  const left = from + quote.length
  const isEmpty = start === left + indent.length && (text[start] ?? '\n') === '\n'
  if (!isEmpty) {
    return keepIndent(start, quote + indent)
  }
  const above = text.slice(text.lastIndexOf('\n', from - 2) + 1, Math.max(0, from - 1))
  if (above.replace(/^[\s>]+/, '') === '')
    return { from: left, to: start, insert: '', start: left, end: left }
  const insert = `\n${quote}${indent}`
  return { from: left, to: start, insert, start: left + insert.length, end: left + insert.length }
}
