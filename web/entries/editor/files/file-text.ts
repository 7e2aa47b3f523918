import type { FileKind } from '#contract/files.ts'
import type { Edit, Selected } from '#web/entries/editor/edits.ts'

/** A reference to a file: `![alt](/files/{id} "caption")`, or `[name](/files/{id})` for a download. */
export type FileReference = {
  id: string
  from: number
  to: number
  isShown: boolean
  /** The alternative text, or the text of a link. */
  words: string
  caption: string
}

/** Begins with a rare string and is bounded, so that matching is linear in the length of the text. */
const target =
  /\]\(\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?: "((?:[^"\\\n]|\\.){0,2000})")?\)/gi
const WORDS_MAX = 2_000

/** Returns the references of a text, in order. */
export function fileReferences(text: string): FileReference[] {
  if (!text.includes('](/files/')) return []
  return [...text.matchAll(target)].flatMap((match) => {
    const open = openingBracket(text, match.index)
    if (open === undefined) return []
    const isShown = text[open - 1] === '!'
    const [whole, id = '', caption = ''] = match
    return {
      id: id.toLowerCase(),
      from: isShown ? open - 1 : open,
      to: match.index + whole.length,
      isShown,
      words: unescaped(text.slice(open + 1, match.index)),
      caption: unescaped(caption),
    }
  })
}

/** Returns the index of the opening bracket of a closing bracket, on the same line. */
function openingBracket(text: string, close: number): number | undefined {
  let depth = 0
  for (let at = close - 1; at >= Math.max(0, close - WORDS_MAX); at -= 1) {
    if (text[at] === '\n') return undefined
    if (isEscaped(text, at)) continue
    if (text[at] === ']') depth += 1
    else if (text[at] === '[') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return undefined
}

const isEscaped = (text: string, at: number) => text[at - 1] === '\\' && text[at - 2] !== '\\'

/** Returns the distinct ids of the files that a text refers to. */
export const referredIds = (text: string): string[] => [...new Set(fileReferences(text).map(({ id }) => id))]

/** Counts the words of a text, without the ids of files and Markdown syntax. */
export const countTypedWords = (text: string): number =>
  text
    .replaceAll(target, ']')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const escaped = (words: string) =>
  words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\[\]`*_<>~$|&"]/g, '\\$&')

const unescaped = (words: string) => words.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

type Described = Pick<FileReference, 'id' | 'isShown' | 'words' | 'caption'>

/** Returns the Markdown of a reference. */
export function referenceText({ id, isShown, words, caption }: Described): string {
  const title = caption.trim() === '' ? '' : ` "${escaped(caption)}"`
  return `${isShown ? '!' : ''}[${escaped(words)}](/files/${id}${title})`
}

type Added = { id: string; name: string; kind: FileKind }

/** Returns the Markdown of files that were added together: on adjacent lines, so that pictures form a gallery. */
export function addedText(files: readonly Added[]): string {
  return files
    .map(({ id, name, kind }) =>
      // The file name of a picture does not describe it.
      referenceText({ id, isShown: kind !== 'other', words: kind === 'image' ? '' : name, caption: '' }),
    )
    .join('\n')
}

/** Returns the edit that inserts references as a separate paragraph, or into the paragraph of adjacent pictures. */
export function insertReferences({ text, start, end }: Selected, references: string): Edit {
  const before = text.slice(0, start)
  const after = text.slice(end)
  const insert = gapBefore(before) + references + gapAfter(after)
  const caret = start + insert.length
  return { from: start, to: end, insert, start: caret, end: caret }
}

const isReference = (line: string) => /^!\[[^\n]*\]\(\/files\/[^\n]*\)\s*$/.test(line.slice(0, WORDS_MAX * 2))

function gapBefore(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (line.trim() !== '') return isReference(line) ? '\n' : '\n\n'
  const previous = before.slice(0, before.length - line.length).trimEnd()
  if (previous === '' || /\n[ \t]*\n[ \t]*$/.test(before)) return ''
  return isReference(previous.slice(previous.lastIndexOf('\n') + 1)) ? '' : '\n'
}

function gapAfter(after: string): string {
  if (after.trim() === '') return '\n'
  const line = after.slice(0, after.indexOf('\n') === -1 ? undefined : after.indexOf('\n'))
  if (line.trim() !== '') return isReference(line) ? '\n' : '\n\n'
  return /^[ \t]*\n[ \t]*\n/.test(after) ? '' : '\n'
}

/** Returns the edit that removes a reference, with its line if nothing else is on it. */
export function removeReference(text: string, { from, to }: FileReference): Edit {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const newline = text.indexOf('\n', to)
  const lineEnd = newline === -1 ? text.length : newline
  const isAlone = text.slice(lineStart, from).trim() === '' && text.slice(to, lineEnd).trim() === ''
  const start = isAlone ? lineStart : from
  const end = isAlone ? Math.min(lineEnd + 1, text.length) : to
  return { from: start, to: end, insert: '', start, end: start }
}
