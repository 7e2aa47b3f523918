/** The metadata of a picture is at its start, and at the end of a WebP. */
const SEARCHED = 1024 * 1024
/** The local time of a camera, as EXIF writes it, with its final zero. */
const exifDate = /(?:19|20|21)\d\d:[01]\d:[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(?=\0)/g

/** Returns the date on which a picture was taken, from its EXIF data: the later ones are of the exposure, the first of the file. */
export function dateIn(bytes: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(bytes)
  const [first, second] = text.match(exifDate) ?? []
  return second ?? first ?? null
}

/** Returns a JPEG with the date of the picture from which it was made. */
export async function withDate(jpeg: Blob, original: Blob): Promise<Blob> {
  const parts = [original.slice(0, SEARCHED), original.slice(Math.max(SEARCHED, original.size - SEARCHED))]
  const bytes = await Promise.all(parts.map(async (part) => new Uint8Array(await part.arrayBuffer())))
  const date = bytes.map(dateIn).find((found) => found !== null)
  return date === undefined || date === null
    ? jpeg
    : new Blob([jpeg.slice(0, 2), dateSegment(date), jpeg.slice(2)], { type: jpeg.type })
}

/** Returns an EXIF segment with one directory, whose only entry leads to another with the date. */
export function dateSegment(date: string): Uint8Array<ArrayBuffer> {
  const directory = '49492a0008000000010069870400010000001a00000000000000'
  const exposure = '010003900200140000002c00000000000000'
  const tiff = [...fromHex(directory + exposure), ...new TextEncoder().encode(`${date}\0`)]
  const name = [0x45, 0x78, 0x69, 0x66, 0, 0]
  const length = 2 + name.length + tiff.length
  return Uint8Array.from([0xff, 0xe1, length >> 8, length & 0xff, ...name, ...tiff])
}

const fromHex = (hex: string) => Array.from(hex.matchAll(/../g), ([byte]) => Number.parseInt(byte, 16))
