import type { FileHandle } from 'node:fs/promises'
import { BrokenFile } from './boxes.ts'
import type { Movie } from './strip-movie.ts'

type Element = { id: number; start: number; content: number; end: number; isEndless: boolean }

const HEADER_MAX = 12
/** Far more elements than a film has. Its frames are not visited. */
const ELEMENTS_MAX = 100_000
const ZEROS = Buffer.alloc(64 * 1024)

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_TYPE = 0x83
const VIDEO = 0xe0
const [PIXEL_WIDTH, PIXEL_HEIGHT] = [0xb0, 0xba]
const [VIDEO_TRACK, AUDIO_TRACK] = [1, 2]
/** The ids of tags and attachments, and of title and date in the segment information. */
const METADATA = new Set([0x1254c367, 0x1941a469, 0x7ba9, 0x4461])

/** Removes tags, attachments, title and date from a WebM file, in place. Throws BrokenFile; returns `other` if it is not WebM. */
export async function stripMatroska(file: FileHandle, size: number): Promise<Movie> {
  const reader = createReader(file)
  const { elements } = reader
  let movie: Movie | undefined
  for await (const element of elements(0, size)) {
    if (element.id === EBML && (await readDocType(reader, element)) !== 'webm') return { kind: 'other' }
    if (element.id !== SEGMENT) continue
    for await (const part of elements(element.content, element.end)) {
      // An element of a live recording has no size and is the last one.
      if (part.isEndless) break
      if (METADATA.has(part.id)) await makeVoid(file, part)
      if (part.id === TRACKS) movie = await readTracks(reader, part)
      if (part.id === INFO)
        for await (const value of elements(part.content, part.end))
          if (METADATA.has(value.id)) await makeVoid(file, value)
    }
  }
  if (!movie) throw new BrokenFile('no tracks')
  return movie
}

type Reader = ReturnType<typeof createReader>

/** Reads the elements of a file, but not more than a film could have. */
function createReader(file: FileHandle) {
  let count = 0

  async function* elements(from: number, to: number): AsyncGenerator<Element> {
    for (let at = from; at < to; ) {
      count += 1
      if (count > ELEMENTS_MAX) throw new BrokenFile('too many elements')
      const element = await elementAt(file, at, to)
      yield element
      at = element.end
    }
  }

  /** Returns at most the first `max` bytes of the content of an element. */
  const bytesOf = async ({ content, end }: Element, max: number) => {
    const bytes = Buffer.alloc(Math.min(end - content, max))
    await file.read(bytes, 0, bytes.length, content)
    return bytes
  }

  const numberOf = async (element: Element) => {
    const bytes = await bytesOf(element, 6)
    return bytes.length > 0 ? bytes.readUIntBE(0, bytes.length) : 0
  }

  return { elements, bytesOf, numberOf }
}

async function readDocType({ elements, bytesOf }: Reader, head: Element): Promise<string> {
  for await (const element of elements(head.content, head.end))
    if (element.id === DOC_TYPE) return (await bytesOf(element, 16)).toString('latin1')
  return 'matroska'
}

async function readTracks(reader: Reader, tracks: Element): Promise<Movie> {
  const all = []
  for await (const element of reader.elements(tracks.content, tracks.end))
    if (element.id === TRACK) all.push(await readTrack(reader, element))
  const video = all.find(({ type }) => type === VIDEO_TRACK)
  if (!video) return { kind: all.some(({ type }) => type === AUDIO_TRACK) ? 'audio' : 'other' }
  const { width, height } = video
  return width > 0 && height > 0 ? { kind: 'video', width, height } : { kind: 'video' }
}

async function readTrack({ elements, numberOf }: Reader, track: Element) {
  const read = { type: 0, width: 0, height: 0 }
  for await (const part of elements(track.content, track.end)) {
    if (part.id === TRACK_TYPE) read.type = await numberOf(part)
    if (part.id !== VIDEO) continue
    for await (const value of elements(part.content, part.end)) {
      if (value.id === PIXEL_WIDTH) read.width = await numberOf(value)
      if (value.id === PIXEL_HEIGHT) read.height = await numberOf(value)
    }
  }
  return read
}

async function elementAt(file: FileHandle, start: number, to: number): Promise<Element> {
  const head = Buffer.alloc(HEADER_MAX)
  const { bytesRead } = await file.read(head, 0, HEADER_MAX, start)
  const idBytes = Math.clz32(head[0] ?? 0) - 23
  if (idBytes > 4 || bytesRead < idBytes + 1) throw new BrokenFile('no element')
  const id = head.readUIntBE(0, idBytes)
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23
  if (sizeBytes > 8 || bytesRead < idBytes + sizeBytes) throw new BrokenFile('no size of an element')
  // The length marker bit is not part of the number.
  const [first = 0, ...rest] = head.subarray(idBytes, idBytes + sizeBytes)
  const length = rest.reduce((sum, byte) => sum * 256 + byte, first & (0xff >> sizeBytes))
  const isEndless =
    rest.every((byte) => byte === 0xff) && (first | ((0xff << (8 - sizeBytes)) & 0xff)) === 0xff
  const content = start + idBytes + sizeBytes
  const end = isEndless ? to : content + length
  if (end > to) throw new BrokenFile('an element beyond its end')
  return { id, start, content, end, isEndless }
}

/** Turns an element into a void element of the same length. */
async function makeVoid(file: FileHandle, { start, end }: Element): Promise<void> {
  const length = end - start
  const header = Buffer.alloc(length < 129 ? 2 : 9)
  header[0] = 0xec
  if (length < 129) header[1] = 0x80 | (length - 2)
  else header.writeBigUInt64BE((1n << 56n) | BigInt(length - 9), 1)
  await file.write(header, 0, header.length, start)
  for (let at = start + header.length; at < end; at += ZEROS.length)
    await file.write(ZEROS, 0, Math.min(ZEROS.length, end - at), at)
}
