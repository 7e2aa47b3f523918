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
