import { open, readFile, writeFile } from 'node:fs/promises'
import readExif from 'exif-reader'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { type FileVariant, WIDEST, WIDTHS, widthVariants } from '#server/files/storage-keys.ts'
import { AppError } from '#server/platform/errors.ts'
import { BrokenFile } from './boxes.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import type { PictureFormat } from './formats.ts'
import { stripHeif } from './strip-heif.ts'
import { stripPicture } from './strip-picture.ts'

/** The properties of a picture that pages need. Its widths are stored beside the file, each as WebP. */
export type PictureFacts = {
  type: string
  width: number
  height: number
  animated: boolean
  takenAt: string | null
  blur: string | null
  widths: number[]
}

/** A picture with its name for error messages, and its maximum number of pixels. */
export type PictureTask = { file: string; name: string; pixelsMax: number }

const MOVING_WIDTH = 1_200
/** The maximum side of WebP. */
const SIDE_MAX = 16_383
const SECONDS_MAX = 30
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
 * `too_large` if it has too many pixels.
 */
export async function inspectPicture(format: PictureFormat, task: PictureTask): Promise<PictureFacts> {
  const { file, name, pixelsMax } = task
  const options: SharpOptions = { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true }
  try {
    const header = await sharp(file, { ...options, limitInputPixels: false }).metadata()
    if (header.format !== (format === 'avif' || format === 'heic' ? 'heif' : format))
      throw new BrokenFile('another kind of picture than it begins as')
    const frames = requireFewPixels(header, task)
    const animated = frames > 1
    const largest = await decode(sharp(file, { ...options, pages: 1 }).autoOrient())
    const widths = await writeWidths(largest, file)
    if (animated) await writeMoving(file, { ...options, pages: -1 })
    const facts = {
      type: TYPES[format],
      ...uprightSize(header),
      animated,
      takenAt: takenAtOf(header.exif),
      blur: await blurOf(largest),
      widths,
    }
    await stripMetadata(format, file, header.orientation ?? 1)
    return facts
  } catch (error) {
    if (error instanceof AppError || isSystemFailure(error)) throw error
    throw Object.assign(refused(format, name), { cause: error })
  }
}

function refused(format: PictureFormat, name: string): AppError {
  const message =
    format === 'heic'
      ? `“${name}” is a HEIC picture, which this server cannot read. Please save it as JPEG and try again.`
      : `“${name}” cannot be read as a picture; it may be broken.`
  return new AppError('unsupported_media', message)
}

/** Returns the number of frames, from the header, before anything is decoded. */
function requireFewPixels(header: Metadata, { name, pixelsMax }: PictureTask) {
  const { width, height } = header
  if (width * height > pixelsMax)
    throw new AppError(
      'too_large',
      `“${name}” has too many pixels: a picture may have at most ${pixelsMax / MEGAPIXEL} megapixels`,
    )
  const frames = header.pages ?? 1
  const moves = frames > 1 && (header.format === 'gif' || header.format === 'webp')
  if (!moves) return 1
  if (width * height * frames > pixelsMax)
    throw new AppError(
      'too_large',
      `“${name}” has too many pixels: all ${frames} frames together may have at most ${pixelsMax / MEGAPIXEL} megapixels`,
    )
  return frames
}

/** The size before scaling. */
function uprightSize({ width, height, orientation = 1 }: Metadata) {
  return orientation > 4 ? { width: height, height: width } : { width, height }
}

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

/** Decodes the pixels of the largest width. */
function decode(image: Sharp): Promise<Pixels> {
  return image
    .resize({ width: WIDEST, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true })
}

const fromPixels = ({ data, info: { width, height, channels } }: Pixels) =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false })

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

/** The EXIF parser interprets the camera's local time as UTC, so its UTC digits are those that the camera wrote. */
function takenAtOf(exif: Buffer | undefined): string | null {
  if (!exif) return null
  try {
    const { Photo, Image } = readExif(exif)
    const date = Photo?.DateTimeOriginal ?? Photo?.DateTimeDigitized ?? Image?.DateTime
    if (!(date instanceof Date) || Number.isNaN(date.getTime())) return null
    const text = date.toISOString().slice(0, 19)
    return /^(?:19|20|21)\d\d-/.test(text) ? text : null
  } catch {
    return null // not a valid date
  }
}

async function stripMetadata(format: PictureFormat, file: string, orientation: number): Promise<void> {
  if (format !== 'avif' && format !== 'heic')
    return writeFile(file, stripPicture(format, await readFile(file), orientation))
  const handle = await open(file, 'r+')
  try {
    await stripHeif(handle, (await handle.stat()).size)
  } finally {
    await handle.close()
  }
}
