import { crc32 } from 'node:zlib'
import { BrokenFile, CUT } from './boxes.ts'
import type { PictureFormat } from './formats.ts'
import { orientationExif } from './orientation.ts'
import { type Kept, keepGif } from './strip-gif.ts'

export type Strippable = Exclude<PictureFormat, 'avif' | 'heic'>

/** A picture without its metadata. `isCut`: its end was missing, and the picture was completed as far as its parts allow. */
export type Stripped = { bytes: Buffer; isCut: boolean }

/**
 * Returns a picture's bytes without metadata and without anything after its end, and completes a picture whose end is missing,
 * as after an interrupted download: browsers show what is there. Moves the remaining parts to the front of
 * `bytes`, so that a picture with millions of parts needs no memory for each. Its `orientation`, which comes from its EXIF data, is
 * kept in EXIF data of its own. Throws BrokenFile.
 */
export function stripPicture(format: Strippable, bytes: Buffer, orientation: number): Stripped {
  const kept = createKept(bytes)
  const end = strippers[format](bytes, kept)
  const stripped = bytes.subarray(0, kept.length())
  const whole = end ? Buffer.concat([stripped, end]) : stripped
  const turned = orientation > 1 ? turners[format](whole, orientationExif(orientation)) : whole
  return { bytes: turned, isCut: end !== null }
}

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

/** Keep the parts of a picture, and return what completes it if its end is missing. */
const strippers: Record<Strippable, (bytes: Buffer, kept: Kept) => Buffer | null> = {
  jpeg: keepJpeg,
  png: keepPng,
  webp: keepWebp,
  gif: keepGif,
}

/** Add EXIF data to stripped pictures. Browsers read none in a GIF. */
const turners: Record<Strippable, (stripped: Buffer, exif: Buffer) => Buffer> = {
  jpeg: (stripped, exif) =>
    inserted(stripped, 2, Buffer.concat([Buffer.from('ffe10022457869660000', 'hex'), exif])),
  png: (stripped, exif) => inserted(stripped, PNG_SIGNATURE + PNG_HEADER, pngChunk('eXIf', exif)),
  webp: withWebpExif,
  gif: (stripped) => stripped,
}

const inserted = (bytes: Buffer, at: number, part: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])

const [MARK, EOI, SOS, APP0, APP2, APP14, APP15, COM] = [0xff, 0xd9, 0xda, 0xe0, 0xe2, 0xee, 0xef, 0xfe]

const END_OF_JPEG = Buffer.from([MARK, EOI])

/** Keeps segments up to the end of the first picture. Of application segments, only color, and JFIF without its thumbnail. */
function keepJpeg(bytes: Buffer, { keep }: Kept): Buffer | null {
  keep(0, 2)
  for (let at = 2, hasScan = false; ; ) {
    at = nextMarker(bytes, at)
    const marker = bytes[at + 1]
    if (marker === EOI) {
      keep(at, at + 2)
      return null
    }
    const end = at + 4 <= bytes.length ? at + 2 + bytes.readUInt16BE(at + 2) : Infinity
    if (marker === undefined || end > bytes.length) {
      if (hasScan) return END_OF_JPEG
      throw new BrokenFile(CUT)
    }
    hasScan ||= marker === SOS
    const next = marker === SOS ? endOfScan(bytes, end) : end
    if (isOfPicture(marker, bytes.subarray(at, end))) keep(at, next)
    at = next
  }
}

/** Returns the position of the next marker. It may be preceded by fill bytes, and by others that decoders skip. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARK, from); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
    const marker = bytes[at + 1]
    if (marker !== MARK && marker !== 0) return at
  }
  return bytes.length
}

function isOfPicture(marker: number, segment: Buffer): boolean {
  const begins = (name: string) => segment.toString('latin1', 4, 4 + name.length) === name
  if (marker === APP0) return begins('JFIF\0')
  if (marker === APP2) return begins('ICC_PROFILE\0')
  if (marker === APP14) return begins('Adobe')
  return marker !== COM && (marker < APP0 || marker > APP15)
}

/** Returns the position of the next marker that is neither a restart marker nor a stuffed byte, or the end. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARK, from); at !== -1; at = bytes.indexOf(MARK, at + 2)) {
    const marker = bytes[at + 1]
    if (marker !== 0 && (marker === undefined || marker < 0xd0 || marker > 0xd7)) return at
  }
  return bytes.length
}

export const PNG_SIGNATURE = 8
/** The length of the first chunk, IHDR. */
export const PNG_HEADER = 25
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

const END_OF_PNG = Buffer.from('0000000049454e44ae426082', 'hex')

function keepPng(bytes: Buffer, { keep }: Kept): Buffer | null {
  keep(0, PNG_SIGNATURE)
  for (let at = PNG_SIGNATURE, hasPixels = false; ; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Infinity
    if (end > bytes.length) {
      const cut = bytes.subarray(Math.min(at + 8, bytes.length))
      if (type === 'IDAT' && cut.length > 0) return Buffer.concat([pngChunk(type, cut), END_OF_PNG])
      if (hasPixels) return END_OF_PNG
      throw new BrokenFile(CUT)
    }
    hasPixels ||= type === 'IDAT'
    if (PNG_KEPT.has(type)) keep(at, end)
    if (type === 'IEND') return null
    at = end
  }
}

/** Returns a chunk of a PNG, with its length and its checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}

const RIFF_HEADER = 12
const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** The VP8X flags that announce EXIF and XMP. */
const WEBP_METADATA = 0x0c
const WEBP_EXIF = 0x08

/** Keeps the chunks of a picture. One whose pixels are cut off is refused, as by browsers. */
function keepWebp(bytes: Buffer, { keep, length }: Kept): Buffer | null {
  const end = 8 + bytes.readUInt32LE(4)
  keep(0, RIFF_HEADER)
  for (let at = RIFF_HEADER; at < end; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const content = at + 8 <= bytes.length ? at + 8 + bytes.readUInt32LE(at + 4) : Infinity
    if (content > Math.min(end, bytes.length)) {
      if (content <= bytes.length || WEBP_KEPT.has(type) || length() === RIFF_HEADER)
        throw new BrokenFile(CUT)
      break
    }
    const next = content + (content % 2)
    if (type === 'VP8X' && content > at + 8) bytes[at + 8] = (bytes[at + 8] ?? 0) & ~WEBP_METADATA
    if (WEBP_KEPT.has(type)) keep(at, next)
    at = next
  }
  // The last byte may be missing padding.
  const padding = Buffer.alloc(length() % 2)
  bytes.writeUInt32LE(length() + padding.length - 8, 4)
  return padding.length > 0 ? padding : null
}

/** Appends EXIF data, which only the extended format announces; a WebP of the simple format has no orientation. */
function withWebpExif(stripped: Buffer, exif: Buffer): Buffer {
  if (stripped.toString('latin1', RIFF_HEADER, RIFF_HEADER + 4) !== 'VP8X') return stripped
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
  head.writeUInt32LE(exif.length, 4)
  const turned = Buffer.concat([stripped, head, exif])
  turned.writeUInt32LE(turned.length - 8, 4)
  turned[RIFF_HEADER + 8] = (turned[RIFF_HEADER + 8] ?? 0) | WEBP_EXIF
  return turned
}
