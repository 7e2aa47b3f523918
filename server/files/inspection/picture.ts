import readExif from 'exif-reader'
import type { SharpOptions } from 'sharp'
import { tintOfColor } from '#contract/parts/contours.ts'
import { type FileVariant, hasMoving, WIDTHS, widthVariants } from '#server/files/storage-keys.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { CUT } from './boxes.ts'
import { decodePicture, fromPixels, lenient, type Pixels, SECONDS_MAX } from './decode-picture.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import type { PictureFormat } from './formats.ts'

/** The properties of a picture that pages need. Its widths are stored beside the file, each as WebP. */
export type PictureFacts = {
  type: string
  width: number
  height: number
  animated: boolean
  takenAt: string | null
  blur: string | null
  tint: number
  widths: number[]
}

/** A picture with its name for error messages, and its maximum number of pixels. */
export type PictureTask = { file: string; name: string; pixelsMax: number }

const MOVING_WIDTH = 1_200
const MEGAPIXEL = 1_000_000
const BLUR_CHARACTERS_MAX = 500

const TYPES: Record<PictureFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
}

/** Returns the path of a variant before it is stored: beside the original. */
export const variantFile = (file: string, variant: FileVariant) =>
  variant === 'original' ? file : `${file}.${variant}`

/**
 * Writes the widths of a picture beside its file, and removes the metadata from the file itself. Throws `unsupported_media`, or
 * `too_large` if it takes too long to decode.
 */
export async function inspectPicture(format: PictureFormat, task: PictureTask): Promise<PictureFacts> {
  const { file, name, pixelsMax } = task
  const messages = {
    pixels: `“${name}” has too many pixels: a picture`,
    side: `“${name}” is too long: a picture`,
    parts: `“${name}” takes too long to read`,
  }
  const bounds = { pixelsMax, messages }
  try {
    const { header, size, frames, largest } = await decodePicture(format, file, bounds)
    const type = TYPES[format]
    const animated = frames > 1
    requireFewPixels(size, frames, task)
    const widths = await writeWidths(largest, file)
    if (hasMoving({ type, animated })) await writeMoving(file, { ...lenient(bounds), pages: -1 })
    const takenAt = takenAtOf(header.exif)
    return {
      type,
      ...size,
      animated,
      takenAt,
      blur: await blurOf(largest),
      tint: await tintOf(largest),
      widths,
    }
  } catch (error) {
    if (error instanceof AppError || isSystemFailure(error)) throw error
    throw Object.assign(refused(name, error), { cause: error })
  }
}

function refused(name: string, cause: unknown): AppError {
  const isCut = cause instanceof Error && cause.message === CUT
  const message = isCut
    ? `“${name}” is not complete: its end is missing, as after an interrupted download or copy. Please get it once more, and add it again.`
    : `“${name}” cannot be read as a picture; it may be broken.`
  return new AppError('unsupported_media', message)
}

/** All frames of an animation count. */
function requireFewPixels(
  { width, height }: { width: number; height: number },
  frames: number,
  task: PictureTask,
): void {
  if (width * height * frames <= task.pixelsMax) return
  const limit = `all ${frames} frames together may have at most ${task.pixelsMax / MEGAPIXEL} megapixels`
  throw new AppError('too_large', `“${task.name}” has too many pixels: ${limit}`)
}

async function writeWidths(largest: Pixels, file: string): Promise<number[]> {
  const widths = [...WIDTHS.filter((width) => width < largest.info.width), largest.info.width]
  for (const { variant, width } of widthVariants(widths))
    await fromPixels(largest)
      .resize({ width })
      .webp({ quality: 82, effort: 3 })
      .timeout({ seconds: SECONDS_MAX })
      .toFile(variantFile(file, variant))
  return widths
}

async function writeMoving(file: string, options: SharpOptions): Promise<void> {
  await sharp(file, options)
    .resize({ width: MOVING_WIDTH, withoutEnlargement: true })
    .webp({ quality: 75, effort: 2 })
    .timeout({ seconds: SECONDS_MAX })
    .toFile(variantFile(file, 'moving'))
}

/** Returns a tiny version of the picture, which pages show enlarged as a placeholder. */
async function blurOf(largest: Pixels): Promise<string | null> {
  for (const side of [20, 12, 6]) {
    const tiny = await fromPixels(largest)
      .resize({ width: side, height: side, fit: 'inside' })
      .webp({ quality: 30, alphaQuality: 30, effort: 6 })
      .toBuffer()
    const url = `data:image/webp;base64,${tiny.toString('base64')}`
    if (url.length <= BLUR_CHARACTERS_MAX) return url
  }
  return null
}

/** Returns the tint of contour lines that is closest to most of the picture. */
async function tintOf(largest: Pixels): Promise<number> {
  const few = await fromPixels(largest)
    .resize({ width: 32, height: 32, fit: 'inside' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
  return tintOfColor((await sharp(few).stats()).dominant)
}

/**
 * The EXIF parser interprets the camera's local time as UTC, so its UTC digits are those that the camera wrote. Of a day that does not
 * exist, such as the 30th of February, it makes another one, which the camera did not write.
 */
function takenAtOf(exif: Buffer | undefined): string | null {
  if (!exif) return null
  try {
    const { Photo, Image } = readExif(exif)
    const date = Photo?.DateTimeOriginal ?? Photo?.DateTimeDigitized ?? Image?.DateTime
    if (!(date instanceof Date) || Number.isNaN(date.getTime())) return null
    const text = date.toISOString().slice(0, 19)
    const written = text.replaceAll('-', ':').replace('T', ' ')
    return /^(?:19|20|21)\d\d-/.test(text) && exif.includes(written) ? text : null
  } catch {
    return null // not a valid date
  }
}
