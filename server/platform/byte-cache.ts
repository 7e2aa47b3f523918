import { LRUCache } from 'lru-cache'

/** Values by key. The least recently used are evicted when the total size exceeds the limit. */
export type ByteCache<Value> = {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
  /** Returns the cached value, or else caches what `make` returns, called once for concurrent requests. A failure is not cached. */
  obtain: (key: string, make: () => Promise<Value>) => Promise<Value>
  /** The current size in bytes. */
  bytes: () => number
}

/** The approximate overhead of an entry, in bytes. */
const OVERHEAD_BYTES = 256

type Bounds<Value> = {
  maxBytes: number
  sizeOf: (value: Value) => number
  /** Decides which of the values that `obtain` has made are cached; by default all are. */
  keeps?: (value: Value) => boolean
}

/**
 * Creates a cache of at most `maxBytes`, measured by `sizeOf`. The key of a value that depends on a revision contains
 * it.
 */
export function createByteCache<Value extends object>({
  maxBytes,
  sizeOf,
  keeps = () => true,
}: Bounds<Value>): ByteCache<Value> {
  const kept = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => OVERHEAD_BYTES + key.length + sizeOf(value),
  })
  const underWay = new Map<string, Promise<Value>>()

  async function makeAndKeep(key: string, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await make()
      if (keeps(value)) kept.set(key, value)
      return value
    } finally {
      underWay.delete(key)
    }
  }

  async function obtain(key: string, make: () => Promise<Value>): Promise<Value> {
    const ready = kept.get(key)
    if (ready) return ready
    const making = underWay.get(key) ?? makeAndKeep(key, make)
    underWay.set(key, making)
    return making
  }

  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    obtain,
    bytes: () => kept.calculatedSize,
  }
}
