/** How old it may be. */
const SHOWN_MS = 5_000

/** What pages show of what administrators have chosen. */
export type CachedSetting<Value> = {
  /** Up to five seconds old, and older while the database is away. */
  shown(): Promise<Value>
  /** Has this process show a new choice at once. */
  changed(): void
}

/** Caches what pages show, which would otherwise be read with each of them. */
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
      // While the database is away, pages go on showing what held before.
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
