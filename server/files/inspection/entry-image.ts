import type { Sharp } from 'sharp'
import type { Variant } from '#server/files/links.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Bounds, decodePicture, fromPixels, SECONDS_MAX } from './decode-picture.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import { formatOfFile, isPicture } from './formats.ts'

/** An entry's image in its stored form. The size is that of the full variant. */
export type EntryImage = { width: number; height: number; variants: Record<Variant, Uint8Array> }

/** The longest side of each variant, in pixels. */
const SIDES: Record<Variant, number> = { full: 2_400, small: 800 }
const MEGAPIXEL = 1_000_000

/** Of the frames of an animation, only the first is read. */
const bounds: Bounds = {
  pixelsMax: 50 * MEGAPIXEL,
  messages: { pixels: 'An image', side: 'An image', parts: 'This image takes too long to read' },
}

/**
 * Decodes an image file and re-encodes it: upright, scaled down, without metadata; only the first frame of an animation. Throws
 * `not_an_image`, or `too_large` if it takes too long to decode.
 */
export async function readEntryImage(file: string): Promise<EntryImage> {
  const format = await formatOfFile(file)
  if (!isPicture(format)) throw notAnImage()
  try {
    const { largest } = await decodePicture(format, file, bounds)
    const full = await shrunk(fromPixels(largest), SIDES.full)
    const small = await shrunk(sharp(full.data), SIDES.small)
    const { width, height } = full.info
    return { width, height, variants: { full: full.data, small: small.data } }
  } catch (error) {
    if (error instanceof AppError || isSystemFailure(error)) throw error
    throw notAnImage(error)
  }
}

function shrunk(image: Sharp, side: number) {
  return image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true })
}

function notAnImage(cause?: unknown): AppError {
  const message = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF'
  return Object.assign(new AppError('not_an_image', message), { cause })
}
