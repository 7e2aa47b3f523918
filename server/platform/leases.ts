import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** For how long what was looked up is taken for granted, from the moment when the look began. */
export const LEASE_MS = 50
/** A timer may end a little early, and the clocks of two machines do not run equally fast. */
const MARGIN_MS = 5
const KEPT_MAX = 5_000

/**
 * What a process takes for granted for a moment after it has looked, so that it need not look for every answer. No
 * process tells another when that ends: whoever takes something back waits until no lease from before can be left.
 */
export type Leases = {
  /** What was found under the key, as long as that is taken for granted. Ask at the moment in which it is used. */
  get(key: string): string | undefined
  /** Looks up keys and leases what is found. Throws what `lookUp` throws. */
  look(
    keys: readonly string[],
    lookUp: (keys: readonly string[]) => Promise<Map<string, string>>,
  ): Promise<Map<string, string>>
  /** Ends what this process takes for granted under the key, also what a look finds that has begun already. */
  end(key: string): void
  /** Resolves once every lease has ended, of whichever process, whose look began before this was called. */
  outlast(): Promise<void>
}

type Lease = { value: string; until: number }

/** Leases of one process; at most some thousands, of which the longest unused are dropped. */
export function createLeases(now: () => number = () => performance.now()): Leases {
  const leases = new LRUCache<string, Lease>({ max: KEPT_MAX })
  /** Of each look that is under way, the keys that were ended meanwhile. */
  const underWay = new Set<Set<string>>()

  function keep(key: string, value: string | undefined, until: number) {
    const last = leases.peek(key)
    // A look that began later may have ended earlier.
    if (last && last.until > until) return
    if (value === undefined) leases.delete(key)
    else leases.set(key, { value, until })
  }

  return {
    get(key) {
      const lease = leases.get(key)
      return lease && now() < lease.until ? lease.value : undefined
    },

    async look(keys, lookUp) {
      const ended = new Set<string>()
      underWay.add(ended)
      const until = now() + LEASE_MS
      try {
        const found = await lookUp(keys)
        for (const key of keys) if (!ended.has(key)) keep(key, found.get(key), until)
        return found
      } finally {
        underWay.delete(ended)
      }
    },

    end(key) {
      leases.delete(key)
      for (const ended of underWay) ended.add(key)
    },

    outlast: () => pause(LEASE_MS + MARGIN_MS),
  }
}
