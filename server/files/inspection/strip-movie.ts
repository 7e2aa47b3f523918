import type { FileHandle } from 'node:fs/promises'
import { type Box, BrokenFile, blank, boxesIn, requireDepth, topBoxes } from './boxes.ts'

/** The properties of a movie that pages need. */
export type Movie = { kind: 'video' | 'audio' | 'other'; width?: number; height?: number }

/** Boxes that remain. Media data keeps its position, and every other top-level box becomes free space. */
const PLAYED = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'mfra', 'pdin', 'prft'])
const METADATA = new Set(['udta', 'meta', 'uuid'])
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf', 'mvex', 'moof', 'traf'])
/** Codecs that at least one browser plays. */
const CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'av01', 'vp08', 'vp09'])

const INDEX_MAX = 64 * 1024 * 1024
const ZEROS = Buffer.alloc(64 * 1024)

type Zero = (from: number, to: number) => Promise<void>

/**
 * Removes the data of an MP4 or QuickTime file that reveals where, when and with which device it was recorded: metadata,
 * dates, and tracks that are neither video nor audio. Works in place without moving anything. Throws BrokenFile.
 */
export async function stripMovie(file: FileHandle, size: number): Promise<Movie> {
  const zero = createZero(file, size)
  let movie: Movie | undefined
  let isFragmented = false
  let hasOtherTracks = false
  let end = 0
  for await (const box of topBoxes(file, size)) {
    end = box.end
    if (!PLAYED.has(box.type)) {
      await file.write('free', box.start + 4, 'latin1')
      await zero(box.content, box.end)
    } else if (box.type === 'moov' || box.type === 'moof') {
      const index = await readIndex(file, box)
      const root = { ...box, start: 0, content: box.content - box.start, end: index.length }
      removeMetadata(index, root)
      isFragmented ||= box.type === 'moof'
      if (box.type === 'moov') {
        const tracks = boxesIn(index, root.content, root.end).filter(({ type }) => type === 'trak')
        const isPlayed = (track: Box) => /^(?:vide|soun)$/.test(handlerOf(index, track))
        const { played = [], others = [] } = Object.groupBy(tracks, (track) =>
          isPlayed(track) ? 'played' : 'others',
        )
        for (const track of others) {
          await zeroSamples(index, track, zero)
          blank(index, track)
        }
        hasOtherTracks ||= others.length > 0
        movie = describe(index, played)
      }
      await file.write(index, 0, index.length, box.start)
    }
  }
  if (!movie) throw new BrokenFile('no index of what is played')
  if (end < size) await file.truncate(end)
  if (isFragmented && hasOtherTracks) throw new BrokenFile('tracks of data in fragments')
  return movie
}

/** Overwrites ranges of the file with zeros, in total at most twice its size. */
function createZero(file: FileHandle, size: number): Zero {
  let left = 2 * size
  return async (from, to) => {
    left -= to - from
    if (from > to || to > size || left < 0) throw new BrokenFile('samples of an impossible size')
    for (let at = from; at < to; at += ZEROS.length)
      await file.write(ZEROS, 0, Math.min(ZEROS.length, to - at), at)
  }
}

async function readIndex(file: FileHandle, { start, end }: Box): Promise<Buffer> {
  if (end - start > INDEX_MAX) throw new BrokenFile('too large an index')
  const index = Buffer.alloc(end - start)
  await file.read(index, 0, index.length, start)
  return index
}

/** Removes metadata and dates from the boxes of an index. Throws BrokenFile. */
export function removeMetadata(index: Buffer, within: Box, depth = 0): void {
  requireDepth(depth)
  for (const box of boxesIn(index, within.content, within.end)) {
    if (METADATA.has(box.type)) blank(index, box)
    else if (CONTAINERS.has(box.type)) removeMetadata(index, box, depth + 1)
    else if (/^(?:mvhd|tkhd|mdhd)$/.test(box.type)) removeDates(index, box)
  }
}

/** Removes the dates of creation and modification, which follow the version and take eight or sixteen bytes. */
function removeDates(index: Buffer, { content, end }: Box): void {
  const from = content + 4
  const to = from + (index[content] === 1 ? 16 : 8)
  if (to > end) throw new BrokenFile('half a header')
  index.fill(0, from, to)
}

function child(index: Buffer, within: Box | undefined, type: string): Box | undefined {
  return within && boxesIn(index, within.content, within.end).find((box) => box.type === type)
}

function handlerOf(index: Buffer, track: Box): string {
  const handler = child(index, child(index, track, 'mdia'), 'hdlr')
  return handler ? index.toString('latin1', handler.content + 8, handler.content + 12) : ''
}

const tableOf = (index: Buffer, track: Box) =>
  child(index, child(index, child(index, track, 'mdia'), 'minf'), 'stbl')

function describe(index: Buffer, tracks: Box[]): Movie {
  const video = tracks.find((track) => handlerOf(index, track) === 'vide')
  if (!video) return { kind: tracks.length > 0 ? 'audio' : 'other' }
  const description = child(index, tableOf(index, video), 'stsd')
  const codec = description && index.toString('latin1', description.content + 12, description.content + 16)
  const header = child(index, video, 'tkhd')
  if (!header || header.end - header.content < 84) throw new BrokenFile('no header of a track')
  if (codec === undefined || !CODECS.has(codec)) return { kind: 'other' }
  const [width, height] = [header.end - 8, header.end - 4].map((at) => index.readUInt16BE(at))
  // The matrix precedes the size. Its second number is not 0 if the picture is rotated by a quarter turn.
  const isTurned = index.readInt32BE(header.end - 40) !== 0
  const size = isTurned ? { width: height, height: width } : { width, height }
  return size.width && size.height
    ? { kind: 'video', width: size.width, height: size.height }
    : { kind: 'video' }
}

/** Reads a table of numbers, which follows its version and its count. */
function numbers(index: Buffer, box: Box | undefined, each: number, head = 8) {
  const from = (box?.content ?? 0) + head
  const fitting = box ? Math.max(0, Math.floor((box.end - from) / each)) : 0
  const said = box && box.end >= from ? index.readUInt32BE(from - 4) : 0
  if (said > fitting) throw new BrokenFile('half a table')
  return { count: said, at: (entry: number) => from + entry * each }
}

/** Overwrites the content of a track chunk by chunk: GPS positions, sensor readings, subtitles. */
async function zeroSamples(index: Buffer, track: Box, zero: Zero): Promise<void> {
  const table = tableOf(index, track)
  const [short, long] = [child(index, table, 'stco'), child(index, table, 'co64')]
  const offsets = numbers(index, short ?? long, short ? 4 : 8)
  const offsetOf = (chunk: number) =>
    short ? index.readUInt32BE(offsets.at(chunk)) : Number(index.readBigUInt64BE(offsets.at(chunk)))
  const runs = numbers(index, child(index, table, 'stsc'), 12)
  const sizeOf = sampleSizes(index, child(index, table, 'stsz'))
  let sample = 0
  for (let chunk = 0, run = 0; chunk < offsets.count; chunk += 1) {
    while (run + 1 < runs.count && index.readUInt32BE(runs.at(run + 1)) <= chunk + 1) run += 1
    const samples = run < runs.count ? index.readUInt32BE(runs.at(run) + 4) : 0
    const from = offsetOf(chunk)
    await zero(from, from + sizeOf(sample, samples))
    sample += samples
  }
}

/** Returns the total size of a range of samples of a track. */
function sampleSizes(index: Buffer, box: Box | undefined): (first: number, samples: number) => number {
  const each = box ? index.readUInt32BE(box.content + 4) : 0
  if (!box || each > 0) return (_first, samples) => samples * each
  const sizes = numbers(index, box, 4, 12)
  return (first, samples) => {
    if (first + samples > sizes.count) throw new BrokenFile('more samples than sizes')
    let sum = 0
    for (let sample = first; sample < first + samples; sample += 1)
      sum += index.readUInt32BE(sizes.at(sample))
    return sum
  }
}
