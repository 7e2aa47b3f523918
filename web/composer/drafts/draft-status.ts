import type { Draft, SavedDraft } from '#contract/drafts.ts'
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
}

/**
 * What the server and the browser have of the text on the screen. Changes are numbered: each of the two holds the text as
 * of some change, and the screen shows the last one.
 */
export class DraftCopies<Text extends SyncedText> {
  #id: string
  #version: number | undefined
  #savedAt: string | undefined
  #typed: number
  #onServer = 0
  #inBrowser = -1
  #isBrowserFull = false
  /** Texts that were sent and not acknowledged: the server may have them nevertheless. */
  #unanswered: Text[] = []
  /** Why the server does not have the last change, if it refused it or could not be reached. */
  reason: string | null = null

  constructor({ id, version, savedAt, isStored }: SyncStart) {
    this.#id = id
    this.#version = version
    this.#savedAt = savedAt
    this.#typed = isStored ? 0 : 1
  }

  get id() {
    return this.#id
  }

  /** The version of the draft that the server acknowledged last. */
  get version() {
    return this.#version
  }

  /** The number of the last change. */
  get lastChange() {
    return this.#typed
  }

  /** Whether there are changes that the server has not acknowledged. */
  get isUnsent() {
    return this.#typed > this.#onServer
  }

  /** Whether the server has the text on the screen. */
  get isSaved() {
    return !this.isUnsent && this.#version !== undefined
  }

  /** Whether the server may have the draft, acknowledged or not. */
  get mayExist() {
    return this.#version !== undefined || this.isUnanswered
  }

  /** Whether a request has had no response: it may arrive later. */
  get isUnanswered() {
    return this.#unanswered.length > 0
  }

  /** The text on the screen has changed. */
  change(): void {
    this.#typed += 1
  }

  /** Whether the server or the browser has the text as of a change. */
  isHeld(change: number): boolean {
    return Math.max(this.#onServer, this.#inBrowser) >= change
  }

  /** Whether the browser has the text on the screen. */
  get isInBrowser() {
    return this.#inBrowser >= this.#typed
  }

  /** The text on the screen was stored in the browser, or could not be. */
  noteLocal(isStored: boolean): void {
    if (isStored) this.#inBrowser = this.#typed
    this.#isBrowserFull = !isStored
  }

  /** Another tab has overwritten the text in the browser. */
  lostLocal(): void {
    this.#inBrowser = -1
    this.#isBrowserFull = true
  }

  /** A text is being sent. */
  noteSent(text: Text): void {
    this.#unanswered = [...this.#unanswered.slice(-2), text]
  }

  /** The server has the text as of a change. */
  acknowledge({ version, savedAt }: SavedDraft, change: number): void {
    this.#version = version
    this.#savedAt = savedAt
    this.#onServer = change
    this.#unanswered = []
    this.reason = null
  }

  /** There is nothing to send: the changes were undone, or the draft was discarded. */
  settle(): void {
    this.#onServer = this.#typed
    this.reason = null
  }

  /** Begins another draft, which the server does not know. */
  begin(id: string): void {
    this.#id = id
    this.#version = undefined
    this.#savedAt = undefined
    this.#unanswered = []
  }

  /** Whether a draft of the server is a text that was sent, whose response was lost. */
  wasSent(current: Draft): boolean {
    return this.#unanswered.some((text) => isSameText(text, current))
  }

  /** Continues with a draft of the server that comes from here. */
  adopt({ _id, version }: Draft): void {
    this.#id = _id
    this.#version = version
    this.#unanswered = []
    this.reason = null
  }

  /** Returns the storage location of the text; `isDirty` tells whether it differs from the saved entry. */
  status(isDirty: () => boolean): DraftStatus {
    if (this.isSaved && this.#savedAt !== undefined) return { kind: 'saved', at: this.#savedAt }
    if (!this.isUnsent || !isDirty()) return { kind: 'none' }
    const isStored = this.#inBrowser === this.#typed
    if (this.reason !== null && isStored) return { kind: 'local', reason: this.reason }
    if (this.reason !== null && this.#isBrowserFull) return { kind: 'lost', reason: this.reason }
    return { kind: 'saving' }
  }
}

const isSameText = (a: SyncedText, b: SyncedText) =>
  a.title === b.title && a.content === b.content && a.tags.join('\n') === b.tags.join('\n')
