import type { Sharp, SharpOptions } from 'sharp'
import type { Variant } from '#server/files/links.ts'
import { AppError } from '#server/platform/errors.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import { formatOfFile } from './formats.ts'

/** An entry's image in its stored form. The size is that of the full variant. */
export type EntryImage = { width: number; height: number; variants: Record<Variant, Uint8Array> }

/** The longest side of each variant, in pixels. */
const SIDES: Record<Variant, number> = { full: 2_400, small: 800 }
const MEGAPIXEL = 1_000_000
const PIXELS_MAX = 50 * MEGAPIXEL
const SECONDS_MAX = 30

const reading: SharpOptions = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'error',
  pages: 1,
  sequentialRead: true,
}

/**
 * Decodes an image file and re-encodes it: upright, scaled down, without metadata; only the first frame of an animation. Throws
 * `not_an_image`, or `too_large` if it has too many pixels.
 */
export async function readEntryImage(file: string): Promise<EntryImage> {
  if ((await countPixels(file)) > PIXELS_MAX)
    throw new AppError('too_large', `An image may have at most ${PIXELS_MAX / MEGAPIXEL} megapixels`)
  const full = await orNoImage(shrunk(sharp(file, reading).autoOrient(), SIDES.full))
  const small = await shrunk(sharp(full.data), SIDES.small)
  const { width, height } = full.info
  return { width, height, variants: { full: full.data, small: small.data } }
}

/** Counts the pixels from the header, before anything is decoded. */
async function countPixels(file: string): Promise<number> {
  const found = await formatOfFile(file)
  const expected = found === 'avif' ? 'heif' : found
  const header = sharp(file, { ...reading, limitInputPixels: false })
  const { format, width, height, pageHeight } = await orNoImage(header.metadata())
  if (format !== expected) throw notAnImage()
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
    throw isSystemFailure(error) ? error : notAnImage(error)
  }
}

function notAnImage(cause?: unknown): AppError {
  const message = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF'
  return Object.assign(new AppError('not_an_image', message), { cause })
}
