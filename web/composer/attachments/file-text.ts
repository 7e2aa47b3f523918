import type { FileKind } from '#contract/files.ts'
import type { Edit, Selected } from '#web/composer/text/edits.ts'
import { type FileReference, fileReferences, fileTarget } from '#web/files/file-references.ts'

/** The most space around a caret that is looked at, so that this is linear. */
const NEAR = 200

/** Counts the words of a text, without the ids of files and Markdown syntax. */
export const countTypedWords = (text: string): number =>
  text.replaceAll(fileTarget, ']').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0

const escaped = (words: string) =>
  words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\[\]`*_<>~$|&"]/g, '\\$&')

type Described = Pick<FileReference, 'id' | 'isShown' | 'words' | 'caption'>

/** Returns the Markdown of a reference. */
export function referenceText({ id, isShown, words, caption }: Described): string {
  const title = caption.trim() === '' ? '' : ` "${escaped(caption)}"`
  return `${isShown ? '!' : ''}[${escaped(words)}](/files/${id}${title})`
}

type Added = { id: string; name: string; kind: FileKind }

/**
 * Returns the Markdown of files that were added together: pictures and films on adjacent lines, so that they form a gallery, and
 * each download by itself.
 */
export function addedText(files: readonly Added[]): string {
  return files.reduce((text, { id, name, kind }, index) => {
    const isShown = kind !== 'other'
    const follows = isShown && files[index - 1]?.kind !== 'other'
    // The file name of a picture does not describe it.
    const own = referenceText({ id, isShown, words: kind === 'image' ? '' : name, caption: '' })
    return index === 0 ? own : text + (follows ? '\n' : '\n\n') + own
  }, '')
}

/**
 * Returns the edit that inserts references as a paragraph of their own, or into that of adjacent pictures, with the caret on an
 * empty line below: what is typed next must not become a part of the gallery.
 */
export function insertReferences({ text, start, end }: Selected, references: string): Edit {
  const before = text.slice(0, start)
  const near = before.slice(-NEAR)
  const above = start - near.length + (/[ \t]*(?:\n[ \t]*){0,2}$/.exec(near)?.index ?? near.length)
  const followsPictures = isPictures(lastLine(text.slice(0, above)))
  const from = followsPictures ? above : start
  const lead = followsPictures ? '\n' : gapBefore(before)

  const after = text.slice(end)
  const [space = ''] = /^[ \t]*(?:\n[ \t]*){0,2}/.exec(after) ?? []
  const below = picturesAt(after.slice(space.length))
  const rest = after.slice(below === '' ? 0 : space.length + below.length)
  const [blank = ''] = /^\s*/.exec(rest) ?? []
  const isLast = blank.length === rest.length
  // Spaces before words on the same line are a part of them.
  const taken = isLast || blank.includes('\n') ? blank.length : 0
  const to = text.length - rest.length + taken

  const inserted = `${lead}${references}${below === '' ? '' : `\n${below}`}\n\n`
  const caret = from + inserted.length
  const insert = isLast || taken === 0 ? inserted : `${inserted}\n\n`
  return { from, to, insert, start: caret, end: caret }
}

/** Returns where the caret of an earlier text is after typing in one other place; undefined if the text changed around it. */
export function placeAfterTyping({ text, end }: Selected, now: string): number | undefined {
  if (now.startsWith(text.slice(0, end))) return end
  return now.endsWith(text.slice(end)) ? now.length - (text.length - end) : undefined
}

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1)

/** Whether a line consists of pictures, films and sounds only. */
function isPictures(line: string): boolean {
  const found = line.startsWith('![') ? fileReferences(line) : []
  let at = 0
  for (const { from, to, isShown } of found) {
    if (!isShown || line.slice(at, from).trim() !== '') return false
    at = to
  }
  return found.length > 0 && line.slice(at).trim() === ''
}

/** Returns the lines of pictures at the start of a text, without the last line break. */
function picturesAt(text: string): string {
  if (!text.startsWith('![')) return ''
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !isPictures(line))
  return lines.slice(0, end === -1 ? undefined : end).join('\n')
}

/** Returns the line breaks that begin a paragraph after a text. */
function gapBefore(before: string): string {
  if (before.trim() === '') return ''
  const [space = ''] = /\s*$/.exec(before.slice(-NEAR)) ?? []
  return '\n'.repeat(Math.max(0, 2 - (space.split('\n').length - 1)))
}

/**
 * Returns a text in which lines of pictures are paragraphs of their own: words directly above or below would join their paragraph,
 * and it would be no gallery. Code is unchanged.
 */
export function separatePictures(text: string): string {
  if (!text.includes('](/files/')) return text
  let fence: string | null = null
  let previous: 'blank' | 'pictures' | 'words' = 'blank'
  const separated: string[] = []
  for (const line of text.split('\n')) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const kind = line.trim() === '' ? 'blank' : fence === null && isPictures(line) ? 'pictures' : 'words'
    if (
      fence === null &&
      previous !== 'blank' &&
      kind !== 'blank' &&
      (kind === 'pictures') !== (previous === 'pictures')
    )
      separated.push('')
    separated.push(line)
    if (fence === null) fence = mark ?? null
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null
    previous = kind
  }
  return separated.join('\n')
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
