import { once } from 'node:events'
import { createDeflate, createInflate, constants as zlib } from 'node:zlib'
import { BrokenFile, CUT } from './boxes.ts'
import { PNG_SIGNATURE, pngChunk } from './strip-picture.ts'

const ZEROS = Buffer.alloc(64 * 1024)
/** Where the rows and columns of the seven passes of an interlaced picture begin, and their distances. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const CHANNELS: { [colorType: number]: number } = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Completes a PNG whose pixels end early: the missing ones become black, or transparent. An animation loses its frames, because
 * they follow the pixels. Throws BrokenFile if there are no pixels.
 */
export async function completePng(bytes: Buffer): Promise<Buffer> {
  const parts = [bytes.subarray(0, PNG_SIGNATURE)]
  const pixels: Buffer[] = []
  for (let at = PNG_SIGNATURE; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, end - 4))
    else if (!/^(?:acTL|fcTL|fdAT|IEND)$/.test(type)) parts.push(bytes.subarray(at, end))
    at = end
  }
  const completed = await zeroPadded(pixels, lengthOfPixels(bytes))
  return Buffer.concat([...parts, pngChunk('IDAT', completed), pngChunk('IEND', Buffer.alloc(0))])
}

/** Returns compressed pixels of the full length, with zeros for those that are missing. */
async function zeroPadded(pixels: readonly Buffer[], length: number): Promise<Buffer> {
  const inflate = createInflate({ finishFlush: zlib.Z_SYNC_FLUSH })
  const deflate = createDeflate({ level: 1 })
  const written: Buffer[] = []
  deflate.on('data', (chunk: Buffer) => written.push(chunk))
  inflate.end(Buffer.concat(pixels))
  const add = async (part: Buffer) => {
    if (!deflate.write(part)) await once(deflate, 'drain')
  }
  let left = length
  try {
    for await (const chunk of inflate) {
      const part = (chunk as Buffer).subarray(0, left)
      await add(part)
      left -= part.length
      if (left === 0) break
    }
  } catch (cause) {
    // Damaged from here on: the pixels before are kept.
    if (left === length) throw Object.assign(new BrokenFile(CUT), { cause })
  }
  if (left === length) throw new BrokenFile(CUT)
  for (; left > 0; left -= ZEROS.length) await add(ZEROS.subarray(0, left))
  deflate.end()
  await once(deflate, 'end')
  return Buffer.concat(written)
}

/** Returns the length of all rows, each with the byte of its filter. */
function lengthOfPixels(bytes: Buffer): number {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth = 0, colorType = 0, , , isInterlaced] = bytes.subarray(24, 29)
  const bits = depth * (CHANNELS[colorType] ?? 0)
  const rowsOf = (columns: number, rows: number) =>
    columns > 0 ? rows * (1 + Math.ceil((columns * bits) / 8)) : 0
  if (!isInterlaced) return rowsOf(width, height)
  return PASSES.reduce((sum, [x, y, across, down]) => {
    return sum + rowsOf(Math.ceil((width - x) / across), Math.max(0, Math.ceil((height - y) / down)))
  }, 0)
}
