import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { BaseLogger } from 'pino'
import { AppError } from '#server/platform/api/errors.ts'
import { createChildPool } from '#server/platform/child-pool.ts'
import { type Client, FairQueue } from '#server/platform/limits/fair-queue.ts'
import { type Card, HEIGHT, WIDTH } from './card.ts'
import type { Painting } from './paint-task.ts'

/** Increment it when the design changes, so that cached pictures become stale. */
export const DESIGN = 5
const CACHE_BYTES = 32_000_000
const QUEUE = { atOnce: 1, waiting: 64, each: 16, waitMs: 60_000 }

const TIMEOUT_MS = 30_000
/** An idle process ends after this time, to release its memory. */
const IDLE_MS = 60_000

export type Painter = {
  /** Paints a card as a PNG or, with a cover, as a JPEG. Throws `unavailable` if that fails or takes too long. */
  paint: (painting: Painting) => Promise<Uint8Array>
  close: () => Promise<void>
}

/** Paints in a child process, so that painting does not delay pages and a crash affects nothing else. */
export function createPainter(log: BaseLogger, { timeoutMs = TIMEOUT_MS } = {}): Painter {
  const task = new URL('./paint-task.ts', import.meta.url)
  const pool = createChildPool<Painting, Uint8Array>(task, { idleMs: IDLE_MS })
  return {
    async paint(painting) {
      try {
        return await pool.run(painting, timeoutMs)
      } catch (error) {
        log.warn({ err: error }, 'a picture could not be painted')
        throw new AppError('unavailable', 'The picture cannot be painted right now', { retryAfter: 30 })
      }
    },
    close: pool.close,
  }
}

/** Returns the ETag of a card's picture, which changes with anything that the picture shows. */
export function etagOfCard(card: Card): string {
  const shown = JSON.stringify([DESIGN, WIDTH, HEIGHT, card])
  return `"${createHash('sha256').update(shown).digest('base64url').slice(0, 27)}"`
}

/**
 * Caches painted pictures by their content. Clients take turns: a client waits for at most one picture of each other
 * client, however many pictures those request. Throws the errors of a fair queue.
 */
export function createPictures(paint: (card: Card) => Promise<Uint8Array>) {
  const cache = new LRUCache<string, Uint8Array, { card: Card }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (picture, etag) => etag.length + picture.byteLength,
    fetchMethod: (_etag, _stale, { context: { card } }) => paint(card),
    ignoreFetchAbort: true,
  })
  const queue = new FairQueue(QUEUE)
  /** The pictures that each client waits for, so that many requests for one picture are queued once. */
  const waiting = new Map<string, Promise<Uint8Array>>()

  return async (client: Client, card: Card): Promise<Uint8Array> => {
    const etag = etagOfCard(card)
    const ready = cache.get(etag)
    if (ready) return ready
    const key = `${client.network} ${etag}`
    const pending =
      waiting.get(key) ??
      // Another client may have had the picture painted meanwhile.
      queue
        .run(client, () => cache.forceFetch(etag, { context: { card } }))
        .finally(() => waiting.delete(key))
    waiting.set(key, pending)
    return pending
  }
}
