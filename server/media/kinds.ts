import { open } from 'node:fs/promises'

/** The kinds of image that are taken, as sharp names their formats. */
export type Kind = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

const HEAD_BYTES = 64

/** What kind of image the file begins as; null if none of ours. Its name has no say. */
export async function kindOfFile(file: string): Promise<Kind | null> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    await handle.read(head, 0, HEAD_BYTES, 0)
    return kindOf(head)
  } finally {
    await handle.close()
  }
}

function kindOf(head: Buffer): Kind | null {
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('ftyp', 4) && brandsOf(head, text).some((brand) => /^avi[fs]$/.test(brand)))
    return 'heif'
  return null
}

/** The brands of an ISO media file: the one it is, then those it can be read as. Between the two stands a version. */
function brandsOf(head: Buffer, text: string): string[] {
  const end = Math.min(head.readUInt32BE(0), HEAD_BYTES)
  const brands = text.slice(8, end).match(/.{4}/gs) ?? []
  return brands.filter((_, index) => index !== 1)
}
