import type { Edit, Selected } from './edits.ts'
import { target } from './marks.ts'
import { isInCodeOrLink, isInFence, lineStart } from './text-context.ts'

const url = /^(?:https?:\/\/|mailto:)\S+$/i
const URL_MAX = 8_000

/** Whether a text is a single URL, so that pasting it over words links them. */
export const isUrl = (text: string): boolean => text.length <= URL_MAX && url.test(text.trim())

/** Returns a URL as the target of a link: parentheses that do not match would end it. */
function destinationOf(address: string): string {
  let depth = 0
  for (const character of address) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0) break
  }
  const encoded = address.replaceAll('<', '%3C').replaceAll('>', '%3E')
  return depth === 0 ? encoded : encoded.replaceAll('(', '%28').replaceAll(')', '%29')
}

/** Returns words as the text of a link: brackets that do not match would end it. */
function linkTextOf(words: string): string {
  const unescaped = words.replace(/\\./g, '')
  const isBalanced = /^(?:[^[\]]|\[[^[\]]*\])*$/.test(unescaped)
  return isBalanced ? words : words.replace(/(?<!\\)[[\]]/g, '\\$&')
}

/** Creates a link and selects the missing part: the words or the URL. */
export function makeLink(selected: Selected): Edit {
  const { start, end } = target(selected)
  const chosen = selected.text.slice(start, end)
  if (isUrl(chosen)) {
    return { from: start, to: end, insert: `[](${destinationOf(chosen)})`, start: start + 1, end: start + 1 }
  }
  const insert = `[${linkTextOf(chosen)}](https://)`
  if (chosen === '') return { from: start, to: end, insert, start: start + 1, end: start + 1 }
  const last = start + insert.length
  return { from: start, to: end, insert, start: last - 'https://)'.length, end: last - 1 }
}

/**
 * Returns the edit of pasting a URL: over words it links them, in the target of a link it fits there. Elsewhere, and over what is code,
 * a link, or more than a line, it is pasted as it is (null).
 */
export function pasteUrl(selected: Selected, pasted: string): Edit | null {
  if (!isUrl(pasted)) return null
  const address = pasted.trim()
  const { text, start, end } = selected
  const line = text.slice(Math.max(lineStart(text, start), start - URL_MAX), start)
  if (
    /\]\([^()\s<]*$/.test(line) &&
    /^[^()\s]*[ )]/.test(text.slice(end, end + URL_MAX)) &&
    !/[\s()]/.test(text.slice(start, end))
  ) {
    const insert = destinationOf(address)
    const caret = start + insert.length
    return isInFence(text, start) ? null : { from: start, to: end, insert, start: caret, end: caret }
  }
  const chosen = target(selected)
  const words = text.slice(chosen.start, chosen.end)
  if (start === end || words === '' || words.includes('\n') || isUrl(words)) return null
  if (isInCodeOrLink(text, chosen.start, chosen.end)) return null
  const insert = `[${linkTextOf(words)}](${destinationOf(address)})`
  const caret = chosen.start + insert.length
  return { from: chosen.start, to: chosen.end, insert, start: caret, end: caret }
}
