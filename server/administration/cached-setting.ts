/** The maximum age of a cached value. */
const SHOWN_MS = 5_000

/** A setting of administrators that pages show. */
export type CachedSetting<Value> = {
  /** Returns a value that is at most five seconds old, or older while the database is unavailable. */
  shown(): Promise<Value>
  /** Invalidates the value that this process has cached. */
  changed(): void
}

/** Caches a setting, so that it is not read with each page. */
export function createCachedSetting<Value>(
  read: () => Promise<Value>,
  clock: () => Date,
): CachedSetting<Value> {
  let current: { value: Promise<Value>; until: number } | undefined
  return {
    async shown() {
      const now = clock().getTime()
      if (current && Math.abs(now - current.until) <= SHOWN_MS && now < current.until) return current.value
      const before = current?.value
      // While the database is unavailable, pages show the last value.
      const value = before ? read().catch(() => before) : read()
      current = { value, until: now + SHOWN_MS }
      value.catch(() => {
        current = undefined
      })
      return value
    },
    changed() {
      current = undefined
    },
  }
}
