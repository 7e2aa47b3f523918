import { changeOutsideCode } from '#server/import/converting/texts.ts'

/** Code, a picture of Markdown, or one of HTML, whose address is that of a website. Code is looked for where its signs begin alone. */
const PICTURE =
  /((?<!`)`+[^`\n]{1,2000}`+)|(!\[(?:[^[\]\n\\]|\\.){0,1000}\]\()(?:<((?:https?:)?\/\/[^<>\s]{1,2000})>|((?:https?:)?\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000}){0,5}))|(<img\b[^>\n]{0,300}?\bsrc=["'])((?:https?:)?\/\/[^"'<>\s]{1,2000})/gi

/** How many pictures an import asks websites for. */
export const COPIES_MAX = 10_000

/** Films and sounds look like pictures in Markdown. */
export const NO_PICTURE = /\.(?:mp4|m4v|mov|webm|mkv|mp3|m4a|ogg|opus|wav|flac|aac|pdf)(?:[?#]|$)/i

/** Returns the addresses on websites of the pictures that a text shows. */
export function picturesElsewhere(text: string): string[] {
  const found = new Set<string>()
  withCopies(text, (address) => {
    found.add(address)
    return undefined
  })
  return [...found]
}

/** Returns a text that shows copies in place of pictures on websites; those of which there is none stay. */
export function withCopies(text: string, copyOf: (address: string) => string | undefined): string {
  if (!text.includes('//')) return text
  return changeOutsideCode(text, (line) =>
    line.replaceAll(PICTURE, (whole: string, ...groups: (string | undefined)[]) => {
      const [code, shows, enclosed, bare, source, inHtml] = groups
      if (code !== undefined) return whole
      const written = enclosed ?? bare ?? inHtml?.replaceAll('&amp;', '&') ?? ''
      const address = written.startsWith('//') ? `https:${written}` : written
      const copy = NO_PICTURE.test(address) ? undefined : copyOf(address)
      return copy === undefined ? whole : `${shows ?? source}${copy}`
    }),
  )
}
