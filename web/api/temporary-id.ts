const TEMPORARY = 'unsaved-'
let last = 0

/** Returns an id for a resource that is shown before the server has assigned one. */
export function nextTemporaryId(): string {
  last += 1
  return TEMPORARY + last
}

/** Whether this is shown optimistically under a temporary id, so that no request can refer to it yet. */
export function isTemporary({ _id }: { _id: string }): boolean {
  return _id.startsWith(TEMPORARY)
}
