import { mediaText, shorten } from './words.ts'

/** A picture: `![words](target "caption")`. Every part is bounded, so that matching is linear in the length of the text. */
const PICTURE = /!\[(?:\\.|[^\\\]\n]){0,300}\]\([^()\s]{0,500}(?:[ \t]+"(?:\\.|[^"\\\n]){0,500}")?\)/g
/** A link to a file, whose words are usually its name. */
const FILE = /\[(?:\\.|[^\\\]\n]){0,300}\]\(\/files\/[\w-]{1,100}(?:[ \t]+"(?:\\.|[^"\\\n]){0,500}")?\)/g
/** A reference of which a beginning of a text has only a part. */
const BROKEN = /!?\[[^\]\n]{0,300}(?:\]\([^)\n]{0,500})?$/
/** The most common marks of Markdown. Rendering a text for its beginning would be too much. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+])[ \t]|\*\*|~~|`/gm
const READ_MAX = 8_000

/**
 * Returns the beginning of Markdown that is not rendered (yet) as plain text: without pictures and links to files, and the number
 * of these if there is nothing else.
 */
export function excerptOfSource(markdown: string, max?: number): string {
  const source = markdown.slice(0, READ_MAX)
  let pictures = 0
  let files = 0
  const text = source
    .replace(PICTURE, () => {
      pictures += 1
      return ' '
    })
    .replace(FILE, () => {
      files += 1
      return ' '
    })
    .replace(BROKEN, (rest) => (/\]\(|^!/.test(rest) ? '' : rest))
    .replace(MARKS, '')
  return shorten(text, max) || mediaText({ pictures, files })
}
