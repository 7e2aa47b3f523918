import { AppError } from '#server/platform/errors.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import { formatOfFile } from './formats.ts'

/** A person's picture in its stored form. */
export type ProfilePicture = { bytes: Uint8Array }

/** The side of the square, in pixels. */
const SIDE = 256
const MEGAPIXEL = 1_000_000
const PIXELS_MAX = 50 * MEGAPIXEL
const SECONDS_MAX = 30
const FORMATS: readonly (string | null)[] = ['jpeg', 'png', 'webp']

/**
 * Decodes a picture and re-encodes the square in its center: upright, small, without metadata. Throws `not_an_image`, or
 * `too_large` if it has too many pixels.
 */
export async function readProfilePicture(file: string): Promise<ProfilePicture> {
  const expected = await formatOfFile(file)
  if (!FORMATS.includes(expected)) throw notAPicture()
  try {
    const { format, width, height } = await sharp(file, { limitInputPixels: false, pages: 1 }).metadata()
    if (format !== expected) throw notAPicture()
    if (width * height > PIXELS_MAX)
      throw new AppError('too_large', `A picture may have at most ${PIXELS_MAX / MEGAPIXEL} megapixels`)
    const bytes = await sharp(file, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize({ width: SIDE, height: SIDE, fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer()
    return { bytes }
  } catch (error) {
    if (error instanceof AppError || isSystemFailure(error)) throw error
    throw Object.assign(notAPicture(), { cause: error })
  }
}

const notAPicture = () =>
  new AppError('not_an_image', 'This file is not a picture that can be shown: JPEG, PNG or WebP')
