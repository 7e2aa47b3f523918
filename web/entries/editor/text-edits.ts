/** A text and its selection. */
export type Selected = { text: string; start: number; end: number }

/** Replaces `from`–`to` by `insert`, then selects `start`–`end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number }

/** Returns the text after an edit. */
export function edited(text: string, { from, to, insert }: Edit): string {
  return text.slice(0, from) + insert + text.slice(to)
}

/** Returns the range to mark: the selection without surrounding space, or the word at the caret. */
function target({ text, start, end }: Selected): { start: number; end: number } {
  if (start === end) {
    const before =
      text
        .slice(0, start)
        .split(/[^\p{L}\p{N}]/u)
        .at(-1)?.length ?? 0
    const after = /^[\p{L}\p{N}]*/u.exec(text.slice(end))?.[0].length ?? 0
    return before > 0 && after > 0 ? { start: start - before, end: end + after } : { start, end }
  }
  const chosen = text.slice(start, end)
  if (chosen.trim() === '') return { start, end }
  const indent = chosen.length - chosen.trimStart().length
  return { start: start + indent, end: start + chosen.trimEnd().length }
}

/** Surrounds the selection with a mark such as `**`, or removes the mark. */
export function toggleMark(mark: string): (selected: Selected) => Edit {
  const width = mark.length
  return (selected) => {
    const { text } = selected
    const { start, end } = target(selected)
    const chosen = text.slice(start, end)
    if (text.slice(start - width, start) === mark && text.slice(end, end + width) === mark && start >= width)
      return { from: start - width, to: end + width, insert: chosen, start: start - width, end: end - width }
    if (chosen.length > 2 * width && chosen.startsWith(mark) && chosen.endsWith(mark))
      return { from: start, to: end, insert: chosen.slice(width, -width), start, end: end - 2 * width }
    return { from: start, to: end, insert: mark + chosen + mark, start: start + width, end: end + width }
  }
}

/** Formats code: within a line by backticks, several lines by a fence. */
export function markCode(selected: Selected): Edit {
  const { text, start, end } = selected
  if (!text.slice(start, end).includes('\n')) return toggleMark('`')(selected)
  const before = start === 0 || text[start - 1] === '\n' ? '```\n' : '\n```\n'
  const after = text[end] === '\n' || end === text.length ? '\n```' : '\n```\n'
  const insert = before + text.slice(start, end) + after
  return { from: start, to: end, insert, start: start + before.length, end: end + before.length }
}

const url = /^(?:https?:\/\/|mailto:)\S+$/i

/** Whether a text is a single URL, so that pasting it over words links them. */
export const isUrl = (text: string): boolean => url.test(text.trim())

/** Creates a link and selects the missing part: the words or the URL. */
export function makeLink(selected: Selected, to = ''): Edit {
  const { start, end } = target(selected)
  const chosen = selected.text.slice(start, end)
  if (to === '' && isUrl(chosen)) {
    return { from: start, to: end, insert: `[](${chosen})`, start: start + 1, end: start + 1 }
  }
  const insert = `[${chosen}](${to || 'https://'})`
  if (chosen === '') return { from: start, to: end, insert, start: start + 1, end: start + 1 }
  const last = start + insert.length
  return to === ''
    ? { from: start, to: end, insert, start: last - 'https://)'.length, end: last - 1 }
    : { from: start, to: end, insert, start: last, end: last }
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

/** Returns the edit of Enter at the end of a list item or quote: begins the next one, or ends the list after an empty one; else null. */
export function continueLines({ text, start, end }: Selected): Edit | null {
  if (start !== end) return null
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const mark = /^\s*(?:[-*+] \[[ xX]\] |[-*+] |(\d{1,9})([.)]) |> ?)/.exec(line)
  if (!mark || start === 0) return null
  const [prefix, number, closing] = mark
  const isEmpty = line === prefix && (text[start] ?? '\n') === '\n'
  if (isEmpty) return { from, to: start, insert: '', start: from, end: from }
  const next = number
    ? prefix.replace(/\d{1,9}[.)]/, `${Number(number) + 1}${closing}`)
    : prefix.replace(/\[[xX]\]/, '[ ]')
  const caret = start + 1 + next.length
  return { from: start, to: start, insert: `\n${next}`, start: caret, end: caret }
}
