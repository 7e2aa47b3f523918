import type { Draft, SavedDraft } from '#contract/drafts.ts'
import { ApiError } from '#web/api/api-error.ts'
import { digestOf } from '#web/saving/server-copy.ts'
import {
  DraftCopies,
  type DraftStatus,
  type SyncedText,
  type SyncStart,
  unsavedReason,
} from './draft-status.ts'

/** The pause in typing after which the text is sent, and the longest time without a pause until it is sent anyway. */
const PAUSE_MS = 1_000
const LONGEST_MS = 1_500
/** The same for a long text, which the browser stores in the meantime. */
const LONG_TEXT = 50_000
const LONGEST_OF_LONG_MS = 6_000
/** After this time, a text that the server has not acknowledged is stored in the browser. */
const LOCAL_MS = 2_000
/** The timeout of a draft in flight when the entry is saved. */
const PAUSE_WAIT_MS = 3_000
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000]
const LONGEST_RETRY_MS = 15_000

type Sending = { ifMatch: number | undefined; isFork: boolean; keepalive: boolean; signal: AbortSignal }

export type SyncDeps<Text extends SyncedText> = {
  /** Returns the text on the screen. */
  read(): Text
  /** Whether it differs from the saved entry, or from a blank form. */
  isDirty(): boolean
  /** Stores it in the browser; returns whether that succeeded. */
  storeLocally(): boolean
  /** Sends it. A fork exists beside another draft of the same entry, and does not refer to that entry. */
  send(id: string, text: Text, sending: Sending): Promise<SavedDraft>
  /** Deletes the draft at the server, now or later; resolves once that is known. */
  discard(id: string): Promise<unknown>
  newId(): string
  onStatus(status: DraftStatus): void
  /** Another device has changed the draft: its text stays unchanged, and the text on the screen becomes a separate draft. */
  onOther(theirs: Draft): void
  /** Records which draft holds which text, for the next time the composer opens. */
  onProgress(progress: { id: string; version: number | undefined; sent?: Text; saved?: Text }): void
}

/**
 * `saving`: the entry is being saved, and its draft waits; `left`: the composer was closed meanwhile; `leaving`: the last change is sent;
 * `over`: nothing is sent any more.
 */
type Phase = 'open' | 'saving' | 'left' | 'leaving' | 'over'

/** Synchronizes the text on the screen with a draft on the server, one request at a time, and reports its status. */
export class DraftSync<Text extends SyncedText> {
  readonly #deps: SyncDeps<Text>
  readonly #copies: DraftCopies
  #isFork: boolean
  #phase: Phase = 'open'
  #sending: Promise<void> | null = null
  /** The digests of the texts that were sent, whose responses may have been lost. */
  readonly #sent = new Set<string>()
  #abort = new AbortController()
  #failures = 0
  #firstUnsentAt: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #guard: ReturnType<typeof setTimeout> | undefined
  #shown = ''

  constructor(deps: SyncDeps<Text>, start: SyncStart) {
    this.#deps = deps
    this.#copies = new DraftCopies(start)
    this.#isFork = start.isFork ?? false
    if (start.sent !== undefined) this.#sent.add(start.sent)
  }

  /** Starts: sends what the browser has stored and the server does not have. A draft equal to the saved entry is discarded. */
  start(): void {
    this.#phase = 'open'
    if (!this.#deps.isDirty()) this.#sendNothing()
    else if (this.#copies.isUnsent) {
      this.#copies.noteLocal(true)
      this.#schedule()
    }
    this.#show()
  }

  /** The text on the screen has changed. */
  changed(): void {
    this.#copies.lastChange += 1
    this.#schedule()
    this.#guardSoon()
    this.#show()
  }

  /** The text on the screen was stored in the browser, or could not be, or another tab has overwritten it there. */
  noteLocal(isStored: boolean): void {
    this.#copies.noteLocal(isStored)
    this.#show()
  }

  /** Sends unsent changes now. With `keepalive` the request outlives the page, if it is small enough. */
  flush(keepalive = false): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isActive()) return Promise.resolve()
    this.#sending ??= this.#send(keepalive).finally(() => {
      this.#sending = null
      this.#show()
      if (this.#copies.isUnsent && this.#copies.reason === null) this.#schedule()
    })
    return this.#sending
  }

  /** The connection may be back. */
  retry(): void {
    if (this.#failures > 0) void this.flush()
  }

  get id(): string {
    return this.#copies.id
  }

  /** Whether the server has the text on the screen. */
  get isSaved(): boolean {
    return this.#copies.isSaved
  }

  /** Pauses before the entry is saved. Resolves to the id of the draft that the save will end, if there may be one. */
  async pause(): Promise<string | undefined> {
    this.#stopTimers()
    if (this.#sending) {
      const late = setTimeout(() => this.#abort.abort(), PAUSE_WAIT_MS)
      await this.#sending
      clearTimeout(late)
      this.#abort = new AbortController()
    }
    this.#stopTimers()
    if (this.#isActive()) this.#phase = this.#isLeaving() ? 'left' : 'saving'
    return this.#copies.mayExist ? this.#copies.id : undefined
  }

  /**
   * Resumes after the entry could not be saved. If the composer was closed in the meantime, unsent changes are sent now, and it
   * resolves once that has ended.
   */
  async resume(): Promise<void> {
    const wasLeft = this.#phase === 'left'
    if (this.#phase !== 'saving' && !wasLeft) return
    this.#phase = 'open'
    // `pause` has ended the timer of the next attempt.
    this.#failures = 0
    if (wasLeft) await this.leave()
    else if (this.#copies.isUnsent) this.#schedule()
  }

  /** The entry was saved, and its draft ended with it. */
  end(): void {
    // A request without a response may arrive after the save.
    if (this.#copies.isUnanswered) void this.#deps.discard(this.#copies.id)
    this.stop()
  }

  /** Stops without ending the draft. Sends unsent changes once, without retries. */
  async leave(): Promise<void> {
    if (this.#phase === 'saving') this.#phase = 'left'
    if (this.#phase !== 'open') return
    this.#phase = 'leaving'
    this.#stopTimers()
    // A request that does not contain the last changes may be in flight.
    for (let times = 0; times < 2 && this.#copies.isUnsent && this.#isLeaving(); times += 1)
      await this.flush(true)
    if (this.#isLeaving()) this.stop()
  }

  #isLeaving = () => this.#phase === 'leaving'
  #isActive = () => this.#phase === 'open' || this.#isLeaving()

  /** Stops permanently. When the session has ended, the next one may be somebody else's, and has a separate draft. */
  stop(): void {
    this.#phase = 'over'
    this.#stopTimers()
  }

  /** Deletes the draft. The next change begins another one. */
  discard(): void {
    this.#stopTimers()
    const { id, version } = this.#copies
    const isDiscarded = this.#copies.mayExist || this.#sending ? this.#deps.discard(id) : undefined
    if (this.#sending && version === undefined) {
      // Nothing can stop the server from creating the draft, perhaps after the deletion.
      void Promise.all([this.#sending, isDiscarded]).then(() => this.#deps.discard(id))
    } else {
      this.#abort.abort()
      this.#abort = new AbortController()
    }
    this.#begin()
    this.#settle()
    this.#show()
  }

  #begin() {
    const id = this.#deps.newId()
    this.#copies.begin(id)
    this.#deps.onProgress({ id, version: undefined })
  }

  #settle() {
    this.#copies.settle()
    this.#failures = 0
  }

  #stopTimers() {
    clearTimeout(this.#timer)
    clearTimeout(this.#guard)
    this.#guard = undefined
    this.#firstUnsentAt = null
  }

  #schedule() {
    if (this.#phase !== 'open' || this.#sending || this.#failures > 0) return
    const now = performance.now()
    this.#firstUnsentAt ??= now
    const longest = this.#deps.read().content.length > LONG_TEXT ? LONGEST_OF_LONG_MS : LONGEST_MS
    const delay = Math.max(0, Math.min(PAUSE_MS, this.#firstUnsentAt + longest - now))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), delay)
  }

  /** The browser stores after a pause in typing. Without one, it stores when the server lags behind. */
  #guardSoon() {
    if (this.#guard !== undefined || !this.#isActive()) return
    const due = this.#copies.lastChange
    this.#guard = setTimeout(() => {
      this.#guard = undefined
      if (!this.#copies.isHeld(due)) this.noteLocal(this.#deps.storeLocally())
      else if (!this.#copies.isHeld(this.#copies.lastChange)) this.#guardSoon()
    }, LOCAL_MS)
  }

  async #send(keepalive: boolean): Promise<void> {
    this.#firstUnsentAt = null
    if (!this.#deps.isDirty()) return this.#sendNothing()
    if (!this.#copies.isUnsent) return
    const { id, version, lastChange } = this.#copies
    const text = this.#deps.read()
    const { signal } = this.#abort
    this.#sent.add(digestOf(text))
    this.#deps.onProgress({ id, version, sent: text })
    this.#copies.isUnanswered = true
    try {
      const sending = { ifMatch: version, isFork: this.#isFork, keepalive, signal }
      const saved = await this.#deps.send(id, text, sending)
      if (id !== this.#copies.id) return
      this.#copies.acknowledge(saved, lastChange)
      this.#failures = 0
      this.#deps.onProgress({ id, version: saved.version, saved: text })
    } catch (error) {
      if (id !== this.#copies.id || signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      this.#handle(error)
    }
  }

  /** The changes were undone: there is nothing to store. */
  #sendNothing() {
    if (this.#copies.mayExist) {
      void this.#deps.discard(this.#copies.id)
      this.#begin()
    }
    this.#settle()
  }

  #handle(error: ApiError) {
    // If the composer was opened again, that session continues.
    if (this.#isLeaving()) return this.stop()
    if (error.code === 'stale') return this.#handleStale(error.current as Draft)
    if (error.code === 'not_found' && this.#copies.version !== undefined) {
      // The next change begins another draft.
      this.#begin()
      return this.#fail('it was saved or discarded elsewhere', null)
    }
    const isFinal = error.status === 400 || error.status === 413 || error.status === 401
    const delay = RETRIES_MS[this.#failures] ?? LONGEST_RETRY_MS
    return this.#fail(unsavedReason(error), isFinal ? null : delay)
  }

  #handleStale(current: Draft) {
    if (this.#sent.has(digestOf(current))) {
      // The response to an earlier request was lost.
      this.#copies.begin(current._id, current.version)
    } else {
      this.#deps.onOther(current)
      this.#isFork = true
      this.#begin()
    }
    this.#copies.reason = null
    this.#failures = 0
    this.#firstUnsentAt = Number.NEGATIVE_INFINITY // send it immediately
  }

  /** Stores the text in the browser and sends it again after the delay; without one, after the next change. */
  #fail(reason: string, delay: number | null) {
    const { lastChange } = this.#copies
    this.#copies.reason = reason
    if (!this.#copies.isHeld(lastChange)) this.noteLocal(this.#deps.storeLocally())
    this.#failures = delay === null ? 0 : this.#failures + 1
    if (delay !== null && this.#phase === 'open') this.#timer = setTimeout(() => void this.flush(), delay)
  }

  #show() {
    const status = this.#copies.status(() => this.#deps.isDirty())
    const shown = JSON.stringify(status)
    if (shown === this.#shown) return
    this.#shown = shown
    this.#deps.onStatus(status)
  }
}
