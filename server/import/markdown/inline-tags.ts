import { changeOutsideCode } from '#server/import/converting/texts.ts'

/** A tag in a text, as Obsidian and Bear have them: no number alone. */
const TAG = /(?<=^|[\s(,;])#((?=[\d/_-]*\p{L})[\p{L}\p{M}\p{N}_/-]{1,100})/gu
/** A tag of several words in Bear. */
const TAG_OF_WORDS = /(?<=^|\s)#([\p{L}\p{N}][\p{L}\p{M}\p{N}_/-]*(?: [\p{L}\p{M}\p{N}_/-]+){1,6})#(?=$|\s)/gu

/** Returns the tags that are written in a text, outside of its code. The text keeps them. */
export function tagsInText(text: string, { ofWords = false } = {}): string[] {
  const found: string[] = []
  const collect = (line: string, pattern: RegExp) =>
    line.replaceAll(pattern, (_whole, tag: string) => {
      found.push(tag.replace(/\/+$/, ''))
      return ''
    })
  changeOutsideCode(text, (line) => {
    if (!line.includes('#')) return line
    const bare = line.replaceAll(/`[^`]*`/g, ' ').replaceAll(/\]\([^()\s]*\)|https?:\S+/g, ']')
    collect(ofWords ? collect(bare, TAG_OF_WORDS) : bare, TAG)
    return line
  })
  return found
}
