import { open, readFile, writeFile } from 'node:fs/promises'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { WIDEST } from '#server/files/storage-keys.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { framesOf, framesOfAvif, requireSize, type SizeMessages, tooManyParts } from './bounds.ts'
import { BrokenFile, CUT } from './boxes.ts'
import { completePng } from './complete-png.ts'
import { isSystemFailure, sharp } from './decoders.ts'
import type { PictureFormat } from './formats.ts'
import { decodeHeic } from './heic.ts'
import { readAsStillAvif } from './major-brand.ts'
import { orientationOf } from './orientation.ts'
import { withColorProfile } from './png-color.ts'
import { stripHeif } from './strip-heif.ts'
import { type Strippable, stripPicture } from './strip-picture.ts'

/** The maximum side of WebP. */
const WEBP_SIDE_MAX = 16_383
export const SECONDS_MAX = 30

/** How much a decoder may be asked for, and the messages about a picture with more. */
export type Bounds = { pixelsMax: number; messages: SizeMessages & { parts: string } }

/** The pixels of the largest width, upright and in sRGB. */
export type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

type Size = { width: number; height: number }

/** A decoded picture: its header, its upright size before scaling, and its number of frames. */
export type DecodedPicture = {
  header: Metadata
  size: Size
  frames: number
  largest: Pixels
}

/**
 * Decodes a picture, and removes the metadata from its file, of which the orientation remains. Completes a picture that is cut
 * off or damaged, as far as browsers would show it. Throws BrokenFile, an error of the decoder, or `too_large` for one that takes
 * too long to decode.
 */
export async function decodePicture(
  format: PictureFormat,
  file: string,
  bounds: Bounds,
): Promise<DecodedPicture> {
  const frames = await requireFewParts(format, file, bounds)
  if (format === 'avif') return readAsStillAvif(file, () => decodeChecked(format, file, bounds, frames))
  return decodeChecked(format, file, bounds, frames)
}

async function decodeChecked(
  format: PictureFormat,
  file: string,
  bounds: Bounds,
  frames: number,
): Promise<DecodedPicture> {
  const header = await sharp(file, { failOn: 'none', limitInputPixels: false }).metadata()
  if (header.format !== (format === 'avif' || format === 'heic' ? 'heif' : format))
    throw new BrokenFile('another kind of picture than it begins as')
  requireSize(header, bounds.pixelsMax, bounds.messages)
  const orientation = header.orientation ?? orientationOf(header.exif)
  const isComplete = await stripMetadata(format, file, orientation)
  if (format === 'heic') {
    const { png, ...size } = await decodeHeic(file, WIDEST, header.icc)
    return { header, frames, size, largest: await decode(sharp(png, strict(bounds)), size) }
  }
  const size = uprightSize(header)
  const largest = await decodeStripped(format, file, { header, isComplete, size }, bounds)
  return { header, frames, size, largest }
}

/** Returns the number of frames, before any decoder reads the file. */
async function requireFewParts(format: PictureFormat, file: string, { messages }: Bounds): Promise<number> {
  if (format === 'heic') return 1
  if (format === 'avif') return framesOfAvif(file)
  const bytes = await readFile(file)
  const problem = tooManyParts(format, bytes)
  if (problem !== null) throw new AppError('too_large', `${messages.parts}: ${problem}`)
  const frames = framesOf(format, bytes)
  // libwebp reads no header of a file that ends early.
  if (format === 'webp' && bytes.length < 8 + bytes.readUInt32LE(4))
    await writeFile(file, stripPicture(format, bytes, 1).bytes)
  return frames
}

const strict = ({ pixelsMax }: Bounds): SharpOptions => ({
  limitInputPixels: pixelsMax,
  failOn: 'error',
  sequentialRead: true,
})

/** Reads what there is of a damaged picture, as browsers do. */
export const lenient = (bounds: Bounds): SharpOptions => ({ ...strict(bounds), failOn: 'none' })

/** If the picture is damaged, the part before is decoded, and the file is encoded again. */
async function decodeStripped(
  format: Exclude<PictureFormat, 'heic'>,
  file: string,
  { header, isComplete, size }: { header: Metadata; isComplete: boolean; size: Size },
  bounds: Bounds,
): Promise<Pixels> {
  const colored = format === 'png' ? withColorProfile(await readFile(file)) : null
  const hasProfile = colored !== null || header.icc !== undefined
  const read = (options: SharpOptions) => {
    const image = sharp(colored ?? file, { ...options, pages: 1 }).autoOrient()
    // sharp converts deep colors with a profile to Display P3, and would write these values as if they were sRGB.
    return decode(hasProfile && header.depth === 'ushort' ? image.withIccProfile('srgb') : image, size)
  }
  try {
    const pixels = await read(strict(bounds))
    if (isComplete || !(await isBlank(pixels))) return pixels
  } catch (error) {
    if (isSystemFailure(error) || format === 'avif') throw error
    const pixels = await read(lenient(bounds))
    if (!(await isBlank(pixels))) {
      await encodeAgain(format, file, bounds)
      return pixels
    }
  }
  throw new BrokenFile(CUT)
}

/** A few blocks above a large area of one color, by which decoders fill what is missing, deviate by less. */
const BLANK_DEVIATION = 2

/** Whether hardly anything of a cut picture was decoded. */
async function isBlank(pixels: Pixels): Promise<boolean> {
  const { channels } = await fromPixels(pixels).stats()
  return channels.every(({ stdev }) => stdev < BLANK_DEVIATION)
}

/** Encodes a damaged picture with hardly a loss, so that every program can read what is stored. */
async function encodeAgain(format: Strippable, file: string, bounds: Bounds): Promise<void> {
  const damaged = { ...lenient(bounds), pages: format === 'gif' ? -1 : 1 }
  const image = sharp(file, damaged).autoOrient().keepIccProfile().timeout({ seconds: SECONDS_MAX })
  const encoded =
    format === 'jpeg' ? image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }) : image.toFormat(format)
  await writeFile(file, await encoded.toBuffer())
}

/** The size before scaling. */
function uprightSize({ width, height, orientation = 1 }: Metadata) {
  return orientation > 4 ? { width: height, height: width } : { width, height }
}

/** The height, in pixels, that a very wide picture keeps, so that it can be read by scrolling. */
const READABLE_HEIGHT = 960

/** Decodes the pixels of the largest width. */
function decode(image: Sharp, { width, height }: Size): Promise<Pixels> {
  const readable = Math.min(Math.ceil((READABLE_HEIGHT * width) / height), WEBP_SIDE_MAX)
  return image
    .resize({
      width: Math.max(WIDEST, readable),
      height: WEBP_SIDE_MAX,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true })
}

/** Returns decoded pixels as a picture to encode. */
export const fromPixels = ({ data, info: { width, height, channels } }: Pixels) =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false })

/** Returns whether the picture was complete. Throws BrokenFile. */
async function stripMetadata(format: PictureFormat, file: string, orientation: number): Promise<boolean> {
  if (format !== 'avif' && format !== 'heic') {
    const { bytes, isCut } = stripPicture(format, await readFile(file), orientation)
    await writeFile(file, isCut && format === 'png' ? await completePng(bytes) : bytes)
    return !isCut
  }
  const handle = await open(file, 'r+')
  try {
    await stripHeif(handle, (await handle.stat()).size, orientation)
    return true
  } finally {
    await handle.close()
  }
}
