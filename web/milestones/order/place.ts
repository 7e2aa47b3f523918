type Item = { _id: string }

/** A new place: after an item, or the first. */
export type Place = { id: string; after: string | null }

/** Returns a list with one item at an index, counted without it. An index outside of the list means its nearest end. */
export function atIndex<T extends Item>(list: readonly T[], id: string, index: number): T[] {
  const moved = list.find(({ _id }) => _id === id)
  const others = list.filter(({ _id }) => _id !== id)
  const before = Math.max(0, index)
  return moved ? [...others.slice(0, before), moved, ...others.slice(before)] : others
}

/** Returns a list with one item at a place; as it is, if what it should follow is not there. */
export function atPlace<T extends Item>(list: readonly T[], { id, after }: Place): readonly T[] {
  const others = list.filter(({ _id }) => _id !== id)
  const before = others.findIndex(({ _id }) => _id === after)
  return after !== null && before < 0 ? list : atIndex(list, id, before + 1)
}

/** Returns the place of an item in a list. */
export function placeOf(list: readonly Item[], id: string): Place {
  const index = list.findIndex(({ _id }) => _id === id)
  return { id, after: list[index - 1]?._id ?? null }
}

type Box = { top: number; height: number }

/** Returns the index of a dragged item, whose pointer is at this height, among the boxes of all others. */
export const indexUnder = (y: number, others: readonly Box[]): number =>
  others.filter(({ top, height }) => top + height / 2 < y).length
