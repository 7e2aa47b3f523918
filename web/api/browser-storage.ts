/** Of this browser, or of this tab only. */
type Place = 'browser' | 'tab'

/** Read where it may throw: some browsers forbid even that. */
const storageOf = (place: Place): Storage => (place === 'browser' ? localStorage : sessionStorage)

const PROBE = 'probe'

/** Returns a stored text, or null. A browser that forbids storage has none. */
export function readStored(key: string, place: Place = 'browser'): string | null {
  try {
    return storageOf(place).getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, or removes it with null. Returns false if the browser is full or forbids storage. */
export function store(key: string, text: string | null, place: Place = 'browser'): boolean {
  try {
    if (text === null) storageOf(place).removeItem(key)
    else storageOf(place).setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Whether this browser stores anything for this site. */
export function canStore(): boolean {
  const isStored = store(PROBE, '1')
  store(PROBE, null)
  return isStored
}

/** Returns what is stored as JSON if it has this shape, or null. */
export function readStoredAs<T>(
  key: string,
  shape: { parse: (value: unknown) => T },
  place: Place = 'browser',
): T | null {
  try {
    return shape.parse(JSON.parse(storageOf(place).getItem(key) ?? 'null'))
  } catch {
    return null
  }
}

/** Returns the keys of all that this browser stores. */
export function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
