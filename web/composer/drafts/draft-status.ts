import type { ApiError } from '#web/api/api-error.ts'

/** The storage location of the text on the screen. */
export type DraftStatus =
  /** There is nothing to store. */
  | { kind: 'none' }
  /** Not stored yet. */
  | { kind: 'saving' }
  /** On the server, which acknowledged exactly this text at that time. */
  | { kind: 'saved'; at: string }
  /** Only in this browser, and why not on the server. */
  | { kind: 'local'; reason: string }
  /** Nowhere: the browser has no room for it either. */
  | { kind: 'lost'; reason: string }

/** Returns why the server does not have the text, as shown to the writer. */
export function unsavedReason({ status, code, message }: ApiError): string {
  if (code === 'unreachable') return 'no connection'
  if (status === 401) return 'you are signed out'
  if (status === 429) return 'too many requests, it is tried again soon'
  if (status === 413) return 'the text is too large for the server'
  if (status === 400 || status === 409) return message.replace(/\.$/, '')
  if (status === 503) return 'the server is busy'
  return 'the server failed'
}
