import { BrokenFile } from './boxes.ts'
import type { PictureFormat } from './formats.ts'

type Strippable = Exclude<PictureFormat, 'avif' | 'heic'>

/**
 * Returns a picture's bytes without metadata and without anything after its end. Moves the remaining parts to the front of
 * `bytes`, so that a picture with millions of parts needs no memory for each. `orientation` comes from its EXIF data; JPEGs
 * keep it. Throws BrokenFile.
 */
export function stripPicture(format: Strippable, bytes: Buffer, orientation: number): Buffer {
  const kept = createKept(bytes)
  strippers[format](bytes, kept)
  const stripped = bytes.subarray(0, kept.length())
  if (format !== 'jpeg' || orientation <= 1) return stripped
  return Buffer.concat([stripped.subarray(0, 2), orientationSegment(orientation), stripped.subarray(2)])
}

type Kept = { keep: (from: number, to: number) => void; length: () => number }

/** Parts are kept in order, so that none is overwritten before it is read. */
function createKept(bytes: Buffer): Kept {
  let length = 0
  return {
    keep(from, to) {
      bytes.copyWithin(length, from, to)
      length += Math.min(to, bytes.length) - from
    },
    length: () => length,
  }
}

const strippers: Record<Strippable, (bytes: Buffer, kept: Kept) => void> = {
  jpeg: keepJpeg,
  png: keepPng,
  webp: keepWebp,
  gif: keepGif,
}

const [MARK, EOI, SOS, APP0, APP2, APP14, APP15, COM] = [0xff, 0xd9, 0xda, 0xe0, 0xe2, 0xee, 0xef, 0xfe]

/** Keeps segments up to the end of the first picture. Of application segments, only color, and JFIF without its thumbnail. */
function keepJpeg(bytes: Buffer, { keep }: Kept): void {
  keep(0, 2)
  for (let at = 2; ; ) {
    const marker = bytes[at + 1]
    if (bytes[at] !== MARK || marker === undefined) throw new BrokenFile('no marker')
    if (marker === EOI) return keep(at, at + 2)
    // A marker may be preceded by any number of fill bytes.
    if (marker === MARK) {
      at += 1
      continue
    }
    if (at + 4 > bytes.length) throw new BrokenFile('half a segment')
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const next = marker === SOS ? endOfScan(bytes, end) : end
    if (isOfPicture(marker, bytes.subarray(at, end))) keep(at, next)
    at = next
  }
}

function isOfPicture(marker: number, segment: Buffer): boolean {
  const begins = (name: string) => segment.toString('latin1', 4, 4 + name.length) === name
  if (marker === APP0) return begins('JFIF\0')
  if (marker === APP2) return begins('ICC_PROFILE\0')
  if (marker === APP14) return begins('Adobe')
  return marker !== COM && (marker < APP0 || marker > APP15)
}

/** Returns the position of the next marker that is neither a restart marker nor a stuffed byte. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARK, from); at !== -1; at = bytes.indexOf(MARK, at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at
  }
  throw new BrokenFile('no end of the picture')
}

/** Returns an EXIF segment with only the orientation: a little-endian directory with one entry. */
function orientationSegment(orientation: number): Buffer {
  const value = `0${orientation & 15}000000`
  return Buffer.from(`ffe1002245786966000049492a000800000001001201030001000000${value}00000000`, 'hex')
}

const PNG_SIGNATURE = 8
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

function keepPng(bytes: Buffer, { keep }: Kept): void {
  keep(0, PNG_SIGNATURE)
  for (let at = PNG_SIGNATURE; ; ) {
    if (at + 12 > bytes.length) throw new BrokenFile('half a chunk')
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new BrokenFile('half a chunk')
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (PNG_KEPT.has(type)) keep(at, end)
    if (type === 'IEND') return
    at = end
  }
}

const RIFF_HEADER = 12
const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** The VP8X flags that announce EXIF and XMP. */
const WEBP_METADATA = 0x0c

function keepWebp(bytes: Buffer, { keep, length }: Kept): void {
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new BrokenFile('half a picture')
  keep(0, RIFF_HEADER)
  for (let at = RIFF_HEADER; at < end; ) {
    if (at + 8 > end) throw new BrokenFile('half a chunk')
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) throw new BrokenFile('half a chunk')
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'VP8X' && size > 0) bytes[at + 8] = (bytes[at + 8] ?? 0) & ~WEBP_METADATA
    if (WEBP_KEPT.has(type)) keep(at, next)
    at = next
  }
  bytes.writeUInt32LE(length() - 8, 4)
}

const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b]
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff]

/** Keeps frames and the loop count, but neither comments nor extensions of other applications. */
function keepGif(bytes: Buffer, { keep }: Kept): void {
  const tableAfter = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const header = 13 + tableAfter(bytes[10] ?? 0)
  keep(0, header)
  for (let at = header; ; ) {
    const kind = bytes[at]
    if (kind === GIF_END) return keep(at, at + 1)
    if (kind === undefined || (kind !== GIF_EXTENSION && kind !== GIF_IMAGE)) throw new BrokenFile('no block')
    const label = bytes[at + 1]
    const blocks = kind === GIF_IMAGE ? at + 11 + tableAfter(bytes[at + 9] ?? 0) : at + 2
    const end = endOfBlocks(bytes, blocks)
    const repeats = bytes.toString('latin1', at + 3, at + 14)
    const isKept =
      kind === GIF_IMAGE ||
      label === GIF_CONTROL ||
      (label === GIF_APPLICATION && /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(repeats))
    if (isKept) keep(at, end)
    at = end
  }
}

function endOfBlocks(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const length = bytes[at]
    if (length === undefined) throw new BrokenFile('half a block')
    at += 1 + length
    if (length === 0) return at
  }
}
