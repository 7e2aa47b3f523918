import { BrokenFile, CUT } from './boxes.ts'

/** Collects the parts of a picture that remain. */
export type Kept = { keep: (from: number, to: number) => void; length: () => number }

const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b]
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff]
const END_OF_GIF = Buffer.from([GIF_END])

/** Keeps frames and the loop count, but neither comments nor extensions of other applications. */
export function keepGif(bytes: Buffer, { keep }: Kept): Buffer | null {
  const header = 13 + tableAfter(bytes[10] ?? 0)
  keep(0, header)
  for (let at = header, frames = 0; ; ) {
    const kind = bytes[at]
    if (kind === GIF_END) {
      keep(at, at + 1)
      return null
    }
    const end = endOfBlock(bytes, at)
    if (end === null) {
      if (frames > 0) return END_OF_GIF
      return kind === GIF_IMAGE ? firstFrame(bytes, at, keep) : refuseGif()
    }
    const label = bytes[at + 1]
    const repeats = bytes.toString('latin1', at + 3, at + 14)
    const isKept =
      kind === GIF_IMAGE ||
      label === GIF_CONTROL ||
      (label === GIF_APPLICATION && /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(repeats))
    if (isKept) keep(at, end)
    if (kind === GIF_IMAGE) frames += 1
    at = end
  }
}

/** Keeps the complete blocks of the only frame, which is cut off. */
function firstFrame(bytes: Buffer, at: number, keep: Kept['keep']): Buffer {
  let end = blocksOf(bytes, at)
  while (end + 1 + (bytes[end] ?? 0) <= bytes.length) end += 1 + (bytes[end] ?? 0)
  if (end === blocksOf(bytes, at)) refuseGif()
  keep(at, end)
  return Buffer.from([0, GIF_END])
}

function refuseGif(): never {
  throw new BrokenFile(CUT)
}

const tableAfter = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns where the data of a frame or an extension begins: sub-blocks with their lengths, up to an empty one. */
const blocksOf = (bytes: Buffer, at: number) =>
  bytes[at] === GIF_IMAGE ? at + 11 + tableAfter(bytes[at + 9] ?? 0) : at + 2

/** Returns the end of a frame or an extension; null for anything else, and if it is incomplete. */
function endOfBlock(bytes: Buffer, at: number): number | null {
  if (bytes[at] !== GIF_EXTENSION && bytes[at] !== GIF_IMAGE) return null
  for (let end = blocksOf(bytes, at); end < bytes.length; ) {
    const length = bytes[end] ?? 0
    end += 1 + length
    if (length === 0) return end
  }
  return null
}

/** Counts the complete frames of a GIF without decoding them, up to a limit. */
export function countGifFrames(bytes: Buffer, max: number): number {
  let frames = 0
  for (let at = 13 + tableAfter(bytes[10] ?? 0); frames <= max; ) {
    const end = endOfBlock(bytes, at)
    if (end === null) break
    if (bytes[at] === GIF_IMAGE) frames += 1
    at = end
  }
  return frames
}
