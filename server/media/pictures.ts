import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { AppError } from '#server/platform/errors.ts'
import { kindOfFile } from './kinds.ts'
import { SIDES, type Variant } from './variants.ts'

/** An image as it is kept: the size is that of the full variant. */
export type Picture = { width: number; height: number; variants: Record<Variant, Uint8Array> }

const MEGAPIXEL = 1_000_000
const PIXELS_MAX = 50 * MEGAPIXEL
const SECONDS_MAX = 30

const reading: SharpOptions = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'error',
  pages: 1,
  sequentialRead: true,
}

sharp.cache(false)
sharp.concurrency(1)
// Only the formats that are taken have a decoder that can be reached at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

/**
 * Decodes an image file and encodes it anew: upright, bounded, without metadata, of an animation the first frame.
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
