import type { FileHandle } from 'node:fs/promises'

/** A box of an ISO media file (MP4, MOV, HEIF): its type, its start and end, and the start of its content. */
export type Box = { type: string; start: number; content: number; end: number }

/** A file whose content does not match its headers. */
export class BrokenFile extends Error {}

/** The reason for refusing a file whose end is missing and that cannot be completed. */
export const CUT = 'the end is missing'

const HEADER = 8
const LONG_HEADER = 16
/** Far more boxes than any file has that is not an attack. */
const BOXES_MAX = 100_000
/** Far deeper than any file nests its boxes. The stack would end at a depth that depends on the optimizer. */
const DEPTH_MAX = 32

/** Whatever is not one of these behind an index and its data is no part of the file. */
const TOP_BOX = /^(?:ftyp|styp|meta|moov|moof|mdat|mini|free|skip|wide|uuid|sidx|ssix|mfra|pdin|prft|udta)$/

/**
 * Yields the top-level boxes of a file. Throws BrokenFile if they do not fill it, except for what some program appended to a
 * complete file, which players ignore: then they end before it.
 */
export async function* topBoxes(file: FileHandle, size: number): AsyncGenerator<Box> {
  const head = Buffer.alloc(LONG_HEADER)
  const seen = new Set<string>()
  for (let at = 0, count = 0; at < size; count += 1) {
    if (count > BOXES_MAX) throw new BrokenFile('too many boxes')
    const { bytesRead } = await file.read(head, 0, LONG_HEADER, at)
    const isComplete = seen.has('mdat') && (seen.has('meta') || seen.has('moov'))
    if (isComplete && !isBoxWithin(head.subarray(0, bytesRead), size - at)) return
    const box = boxAt(head.subarray(0, bytesRead), 0, size - at, CUT)
    seen.add(box.type)
    yield { ...box, start: at, content: at + box.content, end: at + box.end }
    at += box.end
  }
}

/** Whether a box of a known type begins here, be it cut off, or one of any type that ends within the limit. */
function isBoxWithin(head: Buffer, limit: number): boolean {
  if (TOP_BOX.test(head.toString('latin1', 4, HEADER))) return true
  try {
    boxAt(head, 0, limit)
    return true
  } catch (error) {
    if (error instanceof BrokenFile) return false
    throw error
  }
}

/** Throws BrokenFile for boxes that are nested too deeply. */
export function requireDepth(depth: number): void {
  if (depth > DEPTH_MAX) throw new BrokenFile('boxes that are nested too deeply')
}

/** Returns the boxes in a range of a buffer. Throws BrokenFile if they do not fill it. */
export function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    // QuickTime ends some containers with four zero bytes.
    if (to - at === 4 && bytes.readUInt32BE(at) === 0) break
    if (boxes.length > BOXES_MAX) throw new BrokenFile('too many boxes')
    const box = boxAt(bytes, at, to)
    boxes.push(box)
    at = box.end
  }
  return boxes
}

function boxAt(bytes: Buffer, start: number, limit: number, tooLong?: string): Box {
  if (bytes.length < start + HEADER) throw new BrokenFile(tooLong ?? 'half a box')
  const length = bytes.readUInt32BE(start)
  const type = bytes.toString('latin1', start + 4, start + HEADER)
  const isLong = length === 1
  if (isLong && bytes.length < start + LONG_HEADER) throw new BrokenFile('half a box')
  const header = isLong ? LONG_HEADER : HEADER
  // A length of 0 extends to the end.
  const end = length === 0 ? limit : start + (isLong ? Number(bytes.readBigUInt64BE(start + HEADER)) : length)
  if (end > limit && tooLong !== undefined) throw new BrokenFile(tooLong)
  if (end > limit || end < start + header) throw new BrokenFile(`a box ${type} of an impossible size`)
  return { type, start, content: start + header, end }
}

/** Turns a box of a buffer into an empty `free` box of the same length. */
export function blank(bytes: Buffer, { start, content, end }: Box): void {
  bytes.write('free', start + 4, 'latin1')
  bytes.fill(0, content, end)
}
