import { LRUCache } from 'lru-cache'

/** The time in which half of a use is forgotten. */
const HALF_LIFE_MS = 30 * 60_000
const CLIENTS_MAX = 5_000

/** How much time a client may use before it is refused; half of it is forgotten in half an hour. */
export type Budget = { personMs: number; networkMs: number }

/** How much of something, such as processing time, each of a limited number of clients has used lately. */
export class Usage {
  readonly #used = new LRUCache<string, { amount: number; at: number }>({ max: CLIENTS_MAX })

  /** What a client has used, as of `now`: those that are compared need the same, because each amount shrinks all the time. */
  of(key: string, now = performance.now()): number {
    const used = this.#used.get(key)
    return used ? used.amount * 0.5 ** ((now - used.at) / HALF_LIFE_MS) : 0
  }

  add(key: string, amount: number): void {
    this.#used.set(key, { amount: this.of(key) + amount, at: performance.now() })
  }

  /** The seconds until the client has used less than `limit` again; 0 if it has already. */
  secondsUntilBelow(key: string, limit: number): number {
    return Math.max(0, (Math.log2(this.of(key) / limit) * HALF_LIFE_MS) / 1_000)
  }
}
