import { Readable } from 'node:stream'
import type { Place } from '#server/platform/limits/fair-queue.ts'
import type { Exported } from './making.ts'
import { writeZip } from './zip.ts'

/** How long a client may read nothing before it is disconnected, in milliseconds. */
const STALLED_MS = 60_000

/**
 * Streams an export. One file is open at a time, and nothing is read ahead of the client. It fails if the client reads nothing for a
 * minute, or loses its place to another.
 */
export function sendExport(exported: Exported, place: Place): Readable {
  const stalled = setTimeout(
    () => sent.destroy(new Error('the reader of an export took too long')),
    STALLED_MS,
  )
  async function* watched() {
    for await (const chunk of chunksOf(exported)) {
      yield chunk
      stalled.refresh()
      place.advance(chunk.length)
    }
  }
  const sent = Readable.from(watched(), { objectMode: false, highWaterMark: 65_536 })
  place.taken.addEventListener('abort', () => sent.destroy(place.taken.reason as Error))
  return sent.once('close', () => clearTimeout(stalled))
}

async function* chunksOf(exported: Exported): AsyncGenerator<Buffer> {
  if ('text' in exported) yield Buffer.from(exported.text)
  else yield* writeZip(exported.entries)
}
