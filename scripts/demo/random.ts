/** A small seeded generator (mulberry32), so that the same call creates the same demo. */
export type Random = {
  /** At least `from`, below `to`. */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  some<T>(list: readonly T[], count: number): T[]
  /** Returns a function that deals the list in random order, and again in another order once it is exhausted. */
  deck<T>(list: readonly T[]): () => T
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from))
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[between(0, list.length)]
    if (picked === undefined) throw new Error('cannot pick from an empty list')
    return picked
  }
  const some = <T>(list: readonly T[], count: number): T[] =>
    list
      .map((item) => ({ item, key: next() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ item }) => item)
  const deck = <T>(list: readonly T[]) => {
    let left: T[] = []
    return () => {
      if (left.length === 0) left = some(list, list.length)
      const [dealt, ...rest] = left
      if (dealt === undefined) throw new Error('cannot deal from an empty list')
      left = rest
      return dealt
    }
  }
  return { between, pick, some, deck }
}
