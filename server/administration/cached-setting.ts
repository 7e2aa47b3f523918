/** The maximum age of a cached value. */
const MAX_AGE_MS = 5_000

/** A setting of administrators that pages show. */
export type CachedSetting<Value> = {
  /** Returns a value that is at most five seconds old, or older while the database is unavailable. */
  readCached(): Promise<Value>
  /** Invalidates the value that this process has cached. */
  invalidate(): void
}

/** Caches a setting, so that it is not read with each page. */
export function createCachedSetting<Value>(
  read: () => Promise<Value>,
  clock: () => Date,
): CachedSetting<Value> {
  let current: { value: Promise<Value>; until: number } | undefined
  return {
    async readCached() {
      const now = clock().getTime()
      if (current && Math.abs(now - current.until) <= MAX_AGE_MS && now < current.until) return current.value
      const before = current?.value
      // While the database is unavailable, pages show the last value.
      const value = before ? read().catch(() => before) : read()
      current = { value, until: now + MAX_AGE_MS }
      value.catch(() => {
        current = undefined
      })
      return value
    },
    invalidate() {
      current = undefined
    },
  }
}
