/** A picture that is written into a text, as editors do that export one file. Smaller ones are marks of a page. */
const EMBEDDED = /data:image\/(png|jpe?g|gif|webp|avif);base64,([A-Za-z0-9+/]{200,}={0,2})/gi

/** The size of a text with its pictures, in bytes. */
export const WITH_PICTURES_MAX = 50_000_000

/** Each is read from its whole text again when its file is made, so a text has a bounded number of them. */
const EMBEDDED_MAX = 200

/** A picture in a text: by what the text names it once it is taken out, and its size in bytes. */
export type EmbeddedPicture = { name: string; size: number }

/** Takes the pictures out of a text, in whose place are their names. `left`: how many it has beyond those that come. */
export function takeEmbedded(text: string): { text: string; pictures: EmbeddedPicture[]; left: number } {
  if (!text.includes(';base64,')) return { text, pictures: [], left: 0 }
  const pictures: EmbeddedPicture[] = []
  let left = 0
  const without = text.replaceAll(EMBEDDED, (_whole, type: string, bytes: string) => {
    if (pictures.length === EMBEDDED_MAX) {
      left += 1
      return ''
    }
    const name = `embedded-picture-${pictures.length + 1}.${type.toLowerCase()}`
    pictures.push({ name, size: Buffer.byteLength(bytes, 'base64') })
    return name
  })
  return { text: without, pictures, left }
}

/** Returns the bytes of the picture at this place in a text; undefined if there is none. */
export function embeddedAt(text: string, index: number): Buffer | undefined {
  let left = index
  for (const [, , bytes = ''] of text.matchAll(EMBEDDED)) {
    if (left === 0) return Buffer.from(bytes, 'base64')
    left -= 1
  }
  return undefined
}
