import type { FileHandle } from 'node:fs/promises'
import { type Box, BrokenFile, blank, boxesIn, topBoxes } from './boxes.ts'
import { orientationExif } from './orientation.ts'
import { removeMetadata } from './strip-movie.ts'

const INDEX_MAX = 16 * 1024 * 1024
/** The length of the version and flags at the start of most boxes. */
const VERSION = 4

/**
 * Overwrites EXIF, XMP and other non-picture data in an AVIF or HEIC file without moving anything. Its `orientation`, which
 * comes from its EXIF data, is written again there. Throws BrokenFile.
 */
export async function stripHeif(file: FileHandle, size: number, orientation = 1): Promise<void> {
  let end = 0
  for await (const box of topBoxes(file, size)) {
    end = box.end
    if (box.type === 'meta') await stripItems(file, box, size, orientation)
    else if (box.type === 'moov') await stripSequence(file, box)
    else if (!/^(?:ftyp|mdat|mini|styp|sidx)$/.test(box.type)) {
      await file.write('free', box.start + 4, 'latin1')
      await zero(file, box.content, box.end)
    }
  }
  if (end < size) await file.truncate(end)
}

const ZEROS = Buffer.alloc(1024 * 1024)

/** Overwrites a range of a file, however large. */
async function zero(file: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += ZEROS.length)
    await file.write(ZEROS, 0, Math.min(ZEROS.length, to - at), at)
}

/** Overwrites the metadata of a sequence of pictures, which is indexed like the frames of a movie. */
async function stripSequence(file: FileHandle, box: Box): Promise<void> {
  if (box.end - box.start > INDEX_MAX) throw new BrokenFile('too large an index')
  const index = Buffer.alloc(box.end - box.start)
  await file.read(index, 0, index.length, box.start)
  removeMetadata(index, { ...box, start: 0, content: box.content - box.start, end: index.length })
  await file.write(index, 0, index.length, box.start)
}

/** EXIF data in an item begins with the offset of its TIFF header. */
const itemWith = (orientation: number) => Buffer.concat([Buffer.alloc(4), orientationExif(orientation)])

async function stripItems(
  file: FileHandle,
  { start, content, end }: Box,
  size: number,
  orientation: number,
): Promise<void> {
  if (end - start > INDEX_MAX) throw new BrokenFile('too large an index')
  const index = Buffer.alloc(end - start)
  await file.read(index, 0, index.length, start)
  const boxes = boxesIn(index, content - start + VERSION, index.length)
  const info = boxes.find(({ type }) => type === 'iinf')
  const places = boxes.find(({ type }) => type === 'iloc')
  const data = boxes.find(({ type }) => type === 'idat')
  for (const box of boxes) if (/^(?:uuid|udta)$/.test(box.type)) blank(index, box)
  const { metadata, exif } = info
    ? metadataItems(index, info)
    : { metadata: new Set<number>(), exif: undefined }
  const extents = places ? extentsOf(index, places).filter(({ item }) => metadata.has(item)) : []
  if (extents.reduce((sum, { length }) => sum + length, 0) > 2 * size)
    throw new BrokenFile('items of an impossible size')
  let turned = orientation > 1 ? itemWith(orientation) : null
  for (const { item, isInside, from, length } of extents) {
    const kept = item === exif && turned && turned.length <= length ? turned : null
    if (kept) turned = null
    if (isInside && data) {
      if (data.content + from + length > data.end) throw new BrokenFile('an item beyond its box')
      index.fill(0, data.content + from, data.content + from + length)
      kept?.copy(index, data.content + from)
    } else if (!isInside) {
      if (from + length > size) throw new BrokenFile('an item beyond the file')
      // Items in the index itself are overwritten below.
      if (from >= start && from + length <= end) {
        index.fill(0, from - start, from - start + length)
        kept?.copy(index, from - start)
      } else {
        await zero(file, from, from + length)
        if (kept) await file.write(kept, 0, kept.length, from)
      }
    }
  }
  await file.write(index, 0, index.length, start)
}

/** Returns the ids of metadata items (EXIF, XMP and other text), and that of the first with EXIF. */
function metadataItems(index: Buffer, info: Box): { metadata: Set<number>; exif: number | undefined } {
  const isLong = (index[info.content] ?? 0) > 0
  const entries = boxesIn(index, info.content + VERSION + (isLong ? 4 : 2), info.end)
  const metadata = new Set<number>()
  let exif: number | undefined
  for (const { content } of entries) {
    const version = index[content] ?? 0
    if (version < 2) continue
    const id = version === 2 ? index.readUInt16BE(content + 4) : index.readUInt32BE(content + 4)
    const at = content + (version === 2 ? 8 : 10)
    const type = index.toString('latin1', at, at + 4)
    if (/^(?:Exif|mime|uri )$/.test(type)) metadata.add(id)
    if (type === 'Exif') exif ??= id
  }
  return { metadata, exif }
}

type Extent = { item: number; isInside: boolean; from: number; length: number }

/** Returns the locations of items' bytes: in the file, or inside a box of the index. */
function extentsOf(index: Buffer, box: Box): Extent[] {
  const version = index[box.content] ?? 0
  let at = box.content + VERSION
  const read = (bytes: number): number => {
    if (at + bytes > box.end) throw new BrokenFile('half a table')
    const value = bytes === 8 ? Number(index.readBigUInt64BE(at)) : bytes ? index.readUIntBE(at, bytes) : 0
    at += bytes
    return value
  }
  const [sizes, more] = [read(1), read(1)]
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4]
  const indexBytes = version > 0 ? more & 15 : 0
  if ([offsetBytes, lengthBytes, baseBytes, indexBytes].some((bytes) => ![0, 4, 8].includes(bytes)))
    throw new BrokenFile('a table of an unknown form')
  const items = read(version < 2 ? 2 : 4)
  const extents: Extent[] = []
  for (let count = 0; count < items; count += 1) {
    const item = read(version < 2 ? 2 : 4)
    const method = version > 0 ? read(2) & 15 : 0
    read(2)
    const base = read(baseBytes)
    for (let left = read(2); left > 0; left -= 1) {
      read(indexBytes)
      const from = base + read(offsetBytes)
      extents.push({ item, isInside: method === 1, from, length: read(lengthBytes) })
    }
  }
  return extents
}
