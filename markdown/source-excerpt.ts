import { isBlank } from '#contract/parts/characters.ts'
import { mediaText, shorten } from './words.ts'

/** A picture: `![words](target "caption")`, `![words][name]` or `<img>`. Every part is bounded, so that matching is linear in the length of the text. */
const PICTURE =
  /!\[(?:\\.|[^\\\]\n]){0,300}\](?:\((?:<[^<>\n]{0,500}>|(?:[^()\s]|\([^()\s]{0,100}\)){0,500})(?:[ \t]+(?:"(?:\\.|[^"\\\n]){0,500}"|'(?:\\.|[^'\\\n]){0,500}'))?\)|\[[^[\]\n]{0,300}\])|<img\b[^<>]{0,2000}>/gi
/** A link to a file, whose words are usually its name. */
const FILE = /\[(?:\\.|[^\\\]\n]){0,300}\]\(\/files\/[\w-]{1,100}(?:[ \t]+"(?:\\.|[^"\\\n]){0,500}")?\)/g
/** A reference of which a beginning of a text has only a part. */
const BROKEN = /!?\[[^\]\n]{0,300}(?:\]\([^)\n]{0,500})?$/
/** A link whose words were a picture. */
const EMPTY_LINK = /\[ \]\([^()\s]{0,500}\)/g
/** The most common marks of Markdown. Rendering a text for its beginning would be too much. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+](?: \[[ x]\])?)[ \t]|\*\*|~~|`|<!--[^<>]{0,2000}-->/gim
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
    .replace(EMPTY_LINK, ' ')
    .replace(BROKEN, (rest) => (/\]\(|^!/.test(rest) ? '' : rest))
    .split('\n')
    .filter((line) => !isDrawn(line.trim()))
    .join('\n')
    .replace(MARKS, '')
  const short = shorten(text, max)
  return isBlank(short) ? mediaText({ pictures, files }) : short
}

/** Whether a line has no words: a rule, the line below the head of a table, the fence of code, the kind of a callout, the target of a reference. */
const isDrawn = (line: string): boolean =>
  /^(?:[-*_=|:\s]{3,}|(?:`{3}|~{3})[^`]*|>\s*\[!\w+\]|\[[^[\]^]+\]:\s+\S+)$/.test(line)
