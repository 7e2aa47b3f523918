import { createHash } from 'node:crypto'
import { createByteCache } from '#server/platform/byte-cache.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import { type Card, HEIGHT, WIDTH } from './card.ts'

/** Raise it whenever pictures are to look otherwise, so that no cached one passes for the new. */
const DESIGN = 1
const CACHE_BYTES = 32_000_000
/** How many paintings may wait, of all clients and of each. A painting takes a good part of a second. */
const QUEUE = { longest: 64, each: 16 }

/** The ETag of the picture of a card: it changes with whatever the picture shows. */
export function etagOfCard(card: Card): string {
  const shown = JSON.stringify([DESIGN, WIDTH, HEIGHT, card])
  return `"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`
}

/**
 * Pictures as they were painted, cached by what they show. Clients take turns: however many pictures one of them asks
 * for, another's is painted after one of each client at most. Throws as a fair queue does.
 */
export function createPictures(paint: (card: Card) => Promise<Uint8Array>) {
  const cache = createByteCache<Uint8Array>({ maxBytes: CACHE_BYTES, sizeOf: (png) => png.byteLength })
  const queue = createFairQueue(QUEUE)
  /** What each client waits for, so that it waits once for a picture that it asks for many times. */
  const waiting = new Map<string, Promise<Uint8Array>>()

  return async (client: string, card: Card): Promise<Uint8Array> => {
    const etag = etagOfCard(card)
    const ready = cache.get(etag)
    if (ready) return ready
    const key = `${client} ${etag}`
    const pending =
      waiting.get(key) ??
      // By the client's turn, the picture may have been painted for another.
      queue(client, () => cache.obtain(etag, () => paint(card))).finally(() => waiting.delete(key))
    waiting.set(key, pending)
    return pending
  }
}
