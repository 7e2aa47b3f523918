import { AppError } from '#server/platform/api/errors.ts'
import { type Bounds, decodePicture, fromPixels, SECONDS_MAX } from './decode-picture.ts'
import { isSystemFailure } from './decoders.ts'
import { formatOfFile, type PictureFormat } from './formats.ts'

/** A person's picture in its stored form. */
export type ProfilePicture = { bytes: Uint8Array }

/** The side of the square, in pixels. */
const SIDE = 256
const MEGAPIXEL = 1_000_000
const FORMATS: readonly PictureFormat[] = ['jpeg', 'png', 'webp']
const bounds: Bounds = {
  pixelsMax: 50 * MEGAPIXEL,
  messages: { pixels: 'A picture', side: 'A picture', parts: 'This picture takes too long to read' },
}

/**
 * Decodes a picture and re-encodes the square in its center: upright, small, without metadata. Throws `not_an_image`, or
 * `too_large` if it takes too long to decode.
 */
export async function readProfilePicture(file: string): Promise<ProfilePicture> {
  const found = await formatOfFile(file)
  const format = FORMATS.find((one) => one === found)
  if (!format) throw notAPicture()
  try {
    const { largest } = await decodePicture(format, file, bounds)
    const bytes = await fromPixels(largest)
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
