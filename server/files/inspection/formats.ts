import { open } from 'node:fs/promises'
import type { FileKind } from '#contract/files.ts'

/** The format of a file, recognized by its first bytes. */
export type Format =
  | 'jpeg'
  | 'png'
  | 'webp'
  | 'gif'
  | 'avif'
  | 'heic'
  | 'mp4'
  | 'matroska'
  | 'mp3'
  | 'aac'
  | 'ogg'
  | 'wav'
  | 'flac'

export type PictureFormat = Extract<Format, 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'>

/** The number of bytes that `formatOf` reads. */
export const HEAD_BYTES = 64

const PICTURES: ReadonlySet<string> = new Set<PictureFormat>(['jpeg', 'png', 'webp', 'gif', 'avif', 'heic'])

export const isPicture = (format: Format | null): format is PictureFormat =>
  format !== null && PICTURES.has(format)

/** The containers of videos, which may turn out to contain only sound, or neither. */
const CONTAINERS: ReadonlySet<Format> = new Set(['mp4', 'matroska'])

/** Returns the kind of a file by its format, until all of it is inspected. */
export function kindOf(format: Format | null): FileKind {
  if (format === null) return 'other'
  if (isPicture(format)) return 'image'
  return CONTAINERS.has(format) ? 'video' : 'audio'
}

/** Returns the format of a file by its first bytes, regardless of its name; null for all others, which are downloads. */
export function formatOf(head: Buffer): Format | null {
  const text = head.toString('latin1', 0, HEAD_BYTES)
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('ftyp', 4)) return formatOfBrands(brandsOf(head, text))
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'matroska'
  if (text.startsWith('OggS')) return /OpusHead|vorbis|FLAC|Speex {3}/.test(text) ? 'ogg' : null
  if (text.startsWith('fLaC')) return 'flac'
  if (text.startsWith('ID3')) return 'mp3'
  return formatOfFrame(head)
}

function formatOfBrands(brands: string[]): Format | null {
  if (brands.some((brand) => /^avi[fs]$/.test(brand))) return 'avif'
  if (brands.some((brand) => /^(?:hei[cmsx]|hev[cmsx])$/.test(brand))) return 'heic'
  const isMovie = /^(?:qt {2}|isom|iso[2-9]|mp4[12]|M4[ABPV]H? ?|avc1|dash|MSNV|3gp.|3g2.|mmp4|f4v )$/
  return brands.some((brand) => isMovie.test(brand)) ? 'mp4' : null
}

/** Returns the brands of an ISO media file: the major brand, then the compatible ones. The second word is a version. */
function brandsOf(head: Buffer, text: string): string[] {
  const end = Math.min(head.readUInt32BE(0), HEAD_BYTES)
  const brands = text.slice(8, end).match(/.{4}/gs) ?? []
  return brands.filter((_, index) => index !== 1)
}

/** Audio that begins with a frame: 11 bits are set, and neither bit rate nor sampling frequency is a reserved value. */
function formatOfFrame(head: Buffer): Format | null {
  const [first = 0, second = 0, third = 0] = head
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null
  if ((second & 0xf6) === 0xf0) return 'aac'
  const isLayer3 = (second & 0x06) === 0x02
  const isVersion = (second & 0x18) !== 0x08
  const bitRate = third >> 4
  return isLayer3 && isVersion && bitRate !== 0 && bitRate !== 15 && (third & 0x0c) !== 0x0c ? 'mp3' : null
}

/** Reads the first bytes of a file and returns its format; null if it is not recognized. */
export async function formatOfFile(file: string): Promise<Format | null> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    await handle.read(head, 0, HEAD_BYTES, 0)
    return formatOf(head)
  } finally {
    await handle.close()
  }
}
