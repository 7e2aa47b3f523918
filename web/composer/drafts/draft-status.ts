import type { SavedDraft } from '#contract/drafts.ts'
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

/** The text of a draft, compared to find out whether the server has the sent text. */
export type SyncedText = { title: string; content: string; tags: string[] }

/** The draft from which the text on the screen comes; `isStored` if the server has exactly that text. */
export type SyncStart = {
  id: string
  version?: number | undefined
  savedAt?: string
  isStored: boolean
  isFork?: boolean
  /** The digest of an older text that an earlier composer has sent: its response was lost, or the request may still arrive. */
  sent?: string
}

/**
 * What the server and the browser have of the text on the screen. Changes are numbered: each of the two holds the text as
 * of some change, and the screen shows the last one.
 */
export class DraftCopies {
  id: string
  /** The version of the draft that the server acknowledged last. */
  version: number | undefined
  /** The number of the last change. */
  lastChange: number
  /** Whether a request has had no response: it may arrive later. */
  isUnanswered = false
  /** Why the server does not have the last change, if it refused it or could not be reached. */
  reason: string | null = null
  #savedAt: string | undefined
  #onServer = 0
  #inBrowser = -1
  #isBrowserFull = false

  constructor({ id, version, savedAt, isStored }: SyncStart) {
    this.id = id
    this.version = version
    this.#savedAt = savedAt
    this.lastChange = isStored ? 0 : 1
  }

  /** Whether there are changes that the server has not acknowledged. */
  get isUnsent() {
    return this.lastChange > this.#onServer
  }

  /** Whether the server has the text on the screen. */
  get isSaved() {
    return !this.isUnsent && this.version !== undefined
  }

  /** Whether the server may have the draft, acknowledged or not. */
  get mayExist() {
    return this.version !== undefined || this.isUnanswered
  }

  /** Whether the server or the browser has the text as of a change. */
  isHeld(change: number): boolean {
    return Math.max(this.#onServer, this.#inBrowser) >= change
  }

  /** The text on the screen was stored in the browser, or could not be, or another tab has overwritten it there. */
  noteLocal(isStored: boolean): void {
    this.#inBrowser = isStored ? this.lastChange : -1
    this.#isBrowserFull = !isStored
  }

  /** The server has the text as of a change. */
  acknowledge({ version, savedAt }: SavedDraft, change: number): void {
    this.version = version
    this.#savedAt = savedAt
    this.#onServer = change
    this.isUnanswered = false
    this.reason = null
  }

  /** There is nothing to send: the changes were undone, or the draft was discarded. */
  settle(): void {
    this.#onServer = this.lastChange
    this.reason = null
  }

  /** Continues with another draft, which the server does not know unless it has a version. */
  begin(id: string, version?: number): void {
    this.id = id
    this.version = version
    this.#savedAt = undefined
    this.isUnanswered = false
  }

  /** Returns the storage location of the text; `isDirty` tells whether it differs from the saved entry. */
  status(isDirty: () => boolean): DraftStatus {
    if (this.isSaved && this.#savedAt !== undefined) return { kind: 'saved', at: this.#savedAt }
    if (!this.isUnsent || !isDirty()) return { kind: 'none' }
    const isStored = this.#inBrowser === this.lastChange
    if (this.reason !== null && isStored) return { kind: 'local', reason: this.reason }
    if (this.reason !== null && this.#isBrowserFull) return { kind: 'lost', reason: this.reason }
    return { kind: 'saving' }
  }
}
