import { open } from 'node:fs/promises'
import { AppError } from '#server/platform/api/errors.ts'
import { boxesIn, requireDepth, topBoxes } from './boxes.ts'
import type { PictureFormat } from './formats.ts'
import { countGifFrames } from './strip-gif.ts'
import { PNG_SIGNATURE } from './strip-picture.ts'

/**
 * The maximum side of a picture, in pixels: that of a JPEG. A PNG of one pixel by 49 million is small and takes seconds to scale,
 * and no browser shows it.
 */
export const SIDE_MAX = 65_535
/** The maximum frames of an animation: a minute and a half of a smooth one. Each costs time and memory, however small it is. */
export const FRAMES_MAX = 3_000
/** The maximum passes of a progressive JPEG, each of which visits every pixel. Cameras and programs write some ten. */
const SCANS_MAX = 100

const MEGAPIXEL = 1_000_000

/** The beginnings of the messages about pictures with too many pixels, and with too long a side. */
export type SizeMessages = { pixels: string; side: string }

/** Throws `too_large` for a picture with more pixels or a longer side than allowed. */
export function requireSize(
  { width, height }: { width: number; height: number },
  pixelsMax: number,
  messages: SizeMessages,
): void {
  if (width * height > pixelsMax)
    throw new AppError('too_large', `${messages.pixels} may have at most ${pixelsMax / MEGAPIXEL} megapixels`)
  if (Math.max(width, height) > SIDE_MAX)
    throw new AppError(
      'too_large',
      `${messages.side} may have at most ${SIDE_MAX.toLocaleString('en')} pixels on a side`,
    )
}

/** Returns why a picture takes too long to decode, counted in its parts before a decoder reads it; null if it does not. */
export function tooManyParts(format: PictureFormat, bytes: Buffer): string | null {
  if (format === 'jpeg' && countScans(bytes) > SCANS_MAX)
    return `a picture may have at most ${SCANS_MAX} passes`
  const frames = framesOf(format, bytes)
  return frames > FRAMES_MAX
    ? `an animation may have at most ${FRAMES_MAX.toLocaleString('en')} frames`
    : null
}

/** Returns the number of frames of an animation, which for a hostile one may be any number above the maximum; 1 of a picture. */
export function framesOf(format: PictureFormat, bytes: Buffer): number {
  if (format === 'gif') return countGifFrames(bytes, FRAMES_MAX)
  if (format === 'webp') return countWebpFrames(bytes)
  if (format === 'png') return pngFrames(bytes)
  return 1
}

function countWebpFrames(bytes: Buffer): number {
  let frames = 0
  for (let at = 12; at + 8 <= bytes.length && frames <= FRAMES_MAX; ) {
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') frames += 1
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return frames
}

/** An animated PNG says its number of frames before its pixels. */
function pngFrames(bytes: Buffer): number {
  for (let at = PNG_SIGNATURE; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return 1
    if (type === 'acTL') return Math.max(1, bytes.readUInt32BE(at + 8))
  }
  return 1
}

function countScans(bytes: Buffer): number {
  let scans = 0
  for (let at = bytes.indexOf(START_OF_SCAN); at !== -1 && scans <= SCANS_MAX; ) {
    scans += 1
    at = bytes.indexOf(START_OF_SCAN, at + 2)
  }
  return scans
}

/** Never occurs within the pixels, but within metadata: a thumbnail has one. */
const START_OF_SCAN = Buffer.from([0xff, 0xda])

const INDEX_MAX = 16 * 1024 * 1024

/** Returns the number of frames of an AVIF sequence; 1 of a picture. Throws BrokenFile. */
export async function framesOfAvif(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    for await (const box of topBoxes(file, size)) {
      if (box.type !== 'moov' || box.end - box.content > INDEX_MAX) continue
      const index = Buffer.alloc(box.end - box.content)
      await file.read(index, 0, index.length, box.content)
      return Math.max(1, ...samplesIn(index, 0, index.length))
    }
    return 1
  } finally {
    await file.close()
  }
}

/** Returns the number of samples of each track. */
function samplesIn(index: Buffer, from: number, to: number, depth = 0): number[] {
  requireDepth(depth)
  return boxesIn(index, from, to).flatMap(({ type, content, end }) => {
    if (type === 'stsz' && content + 12 <= end) return [index.readUInt32BE(content + 8)]
    return /^(?:trak|mdia|minf|stbl)$/.test(type) ? samplesIn(index, content, end, depth + 1) : []
  })
}
