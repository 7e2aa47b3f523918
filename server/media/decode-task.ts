import { open } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Variant } from './links.ts'

/** An image as it is stored: the size is that of the full variant. */
export type Picture = { width: number; height: number; variants: Record<Variant, Uint8Array> }

/** A picture, or why the file is refused; `reason` is for the log. */
export type Outcome =
  | { picture: Picture }
  | { refusal: { code: ErrorCode; message: string; reason: string | undefined } }

/** The accepted formats, as sharp names them. */
type Kind = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

/** The longest side of each variant, in pixels. */
const SIDES: Record<Variant, number> = { full: 2_400, small: 800 }
const MEGAPIXEL = 1_000_000
const PIXELS_MAX = 50 * MEGAPIXEL
const SECONDS_MAX = 30
const HEAD_BYTES = 64

const reading: SharpOptions = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'error',
  pages: 1,
  sequentialRead: true,
}

sharp.cache(false)
sharp.concurrency(1)
// No decoder of another format can be reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

/** Decodes the file of an image, in a child process of low priority. */
export default async function decode(file: string): Promise<Outcome> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  try {
    return { picture: await readPicture(file) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, cause } = error
    return { refusal: { code, message, reason: cause instanceof Error ? cause.message : undefined } }
  }
}

/**
 * Decodes an image file and encodes it again: upright, bounded, without metadata, of an animation the first frame.
 * Throws `not_an_image`, or `too_large` where it has too many pixels.
 */
export async function readPicture(file: string): Promise<Picture> {
  if ((await countPixels(file)) > PIXELS_MAX)
    throw new AppError('too_large', `An image may have at most ${PIXELS_MAX / MEGAPIXEL} megapixels`)
  const full = await orNoImage(shrunk(sharp(file, reading).autoOrient(), SIDES.full))
  const small = await shrunk(sharp(full.data), SIDES.small)
  const { width, height } = full.info
  return { width, height, variants: { full: full.data, small: small.data } }
}

/** From the header alone; nothing is decoded yet. */
async function countPixels(file: string): Promise<number> {
  const kind = await kindOfFile(file)
  if (kind === null) throw notAnImage()
  const header = sharp(file, { ...reading, limitInputPixels: false })
  const { format, width, height, pageHeight } = await orNoImage(header.metadata())
  if (format !== kind) throw notAnImage()
  return width * (pageHeight ?? height)
}

function shrunk(image: Sharp, side: number) {
  return image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true })
}

async function orNoImage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw notAnImage(error)
  }
}

function notAnImage(cause?: unknown): AppError {
  const message = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF'
  return Object.assign(new AppError('not_an_image', message), { cause })
}

/** The format by the first bytes of the file, whatever its name; null if it is not accepted. */
async function kindOfFile(file: string): Promise<Kind | null> {
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

/** The brands of an ISO media file: the one it is, then those it can be read as. The second word is a version. */
function brandsOf(head: Buffer, text: string): string[] {
  const end = Math.min(head.readUInt32BE(0), HEAD_BYTES)
  const brands = text.slice(8, end).match(/.{4}/gs) ?? []
  return brands.filter((_, index) => index !== 1)
}
