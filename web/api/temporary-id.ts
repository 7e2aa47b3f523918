const TEMPORARY = 'unsaved-'
let last = 0

/** Returns an id under which something is shown until the server has given it one. */
export function nextTemporaryId(): string {
  last += 1
  return TEMPORARY + last
}

/** Whether this is shown optimistically under a temporary id, so that no request can be made about it yet. */
export function isTemporary({ _id }: { _id: string }): boolean {
  return _id.startsWith(TEMPORARY)
}

/**
 * Returns a list with something new instead of its optimistic copy. Where an earlier try has created it, the list may have it
 * already.
 */
export function withCreated<T extends { _id: string }>(
  list: readonly T[],
  temporaryId: string,
  created: T,
): T[] {
  const isShown = list.some(({ _id }) => _id === temporaryId)
  return list
    .filter(({ _id }) => !isShown || _id !== created._id)
    .map((other) => (other._id === temporaryId ? created : other))
}
