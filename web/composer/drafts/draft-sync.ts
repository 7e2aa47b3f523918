import { NIL, v5 } from 'uuid'
import type { Draft, SavedDraft } from '#contract/drafts.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { ServerCopy } from '#web/saving/drafts.ts'
import { type DraftStatus, unsavedReason } from './draft-status.ts'

/** The pause in typing after which the text is stored and sent, and the longest time without a pause until that is done anyway. */
const PAUSE_MS = 1_000
const LONGEST_MS = 1_500
/** A long text is sent less often without a pause. */
const LONG_TEXT = 50_000
const LONGEST_OF_LONG_MS = 6_000
/** The timeout of a draft in flight when the entry is saved. */
const PAUSE_WAIT_MS = 3_000
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000]
const LONGEST_RETRY_MS = 15_000

/** The text of a draft, compared to find out whether the server has the sent text. */
export type SyncedText = { title: string; content: string; tags: string[] }

/** Returns a digest of a text, for comparing the server's draft with sent texts. */
export const digestOf = ({ title, content, tags }: SyncedText): string =>
  v5(JSON.stringify([title, content, tags]), NIL)

/** The draft from which the text on the screen comes; `isSaved` if the server has exactly that text. */
export type SyncStart = ServerCopy & { savedAt?: string; isFork?: boolean }

type Sending = { ifMatch: number | undefined; isFork: boolean; keepalive: boolean; signal: AbortSignal }

export type SyncDeps<Text extends SyncedText> = {
  /** Returns the text on the screen. */
  read(): Text
  /** Whether it differs from the saved entry, or from a blank form. */
  isDirty(): boolean
  /** Stores it in the browser, with what the server has of it; returns whether that succeeded. `isMirrored`: as specified, too. */
  storeLocally(copy: ServerCopy, isMirrored: boolean): boolean
  /** Sends it. A fork exists beside another draft of the same entry, and does not refer to that entry. */
  send(id: string, text: Text, sending: Sending): Promise<SavedDraft>
  /** Deletes the draft at the server, now or later; resolves once that is known. */
  discard(id: string): Promise<unknown>
  newId(): string
  onStatus(status: DraftStatus): void
  /** Another device has changed the draft: its text stays unchanged, and the text on the screen becomes a separate draft. */
  onOther(theirs: Draft): void
}

/**
 * `saving`: the entry is being saved, and its draft waits; `left`: the composer was closed meanwhile; `leaving`: the last change is sent;
 * `over`: nothing is sent any more.
 */
type Phase = 'open' | 'saving' | 'left' | 'leaving' | 'over'

/** The browser has not the text on the screen, because it is full or another tab has replaced it. */
const NOWHERE = -1

/**
 * Synchronizes the text on the screen with a draft on the server, one request at a time, and reports its status. What is sent is stored in
 * the browser before.
 */
export class DraftSync<Text extends SyncedText> {
  readonly #deps: SyncDeps<Text>
  #id: string
  /** The version of the draft that the server acknowledged last. */
  #version: number | undefined
  #savedAt: string | undefined
  #isFork: boolean
  /** The digests of the texts that were sent since the last response: the server may have one, or get it later. */
  readonly #unanswered: Set<string>
  /** Changes are numbered: the screen shows the last one, the server and the browser have the text as of some change. */
  #change: number
  #onServer = 0
  #inBrowser: number
  /** Whether something was typed here: otherwise what the browser has may be of another tab. */
  #isTouched = false
  /** Why the server does not have the last change, if it refused it or could not be reached. */
  #reason: string | null = null
  #phase: Phase = 'open'
  #sending: Promise<void> | null = null
  #abort = new AbortController()
  #failures = 0
  #firstUnsentAt: number | null = null
  /** When the first change was made that waits for `#timer`. */
  #waitsSince: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #shown = ''

  constructor(deps: SyncDeps<Text>, { id, version, savedAt, isSaved, isFork = false, sent = [] }: SyncStart) {
    this.#deps = deps
    this.#id = id
    this.#version = version
    this.#savedAt = savedAt
    this.#isFork = isFork
    this.#unanswered = new Set(sent)
    this.#change = isSaved ? 0 : 1
    this.#inBrowser = this.#change
  }

  /** Starts: sends what the browser has stored and the server does not have. A draft equal to the saved entry is discarded. */
  start(): void {
    this.#phase = 'open'
    if (!this.#deps.isDirty()) this.#sendNothing()
    else if (this.#isUnsent) this.#schedule()
    this.#show()
  }

  /** The text on the screen has changed. */
  changed(): void {
    this.#change += 1
    this.#isTouched = true
    this.#firstUnsentAt ??= performance.now()
    this.#schedule()
    this.#show()
  }

  /** Stores the text on the screen in the browser, with what the server has of it. */
  store(isMirrored = false): void {
    const [id, version, sent] = [this.#id, this.#version, [...this.#unanswered]]
    const isStored = this.#deps.storeLocally({ id, version, isSaved: this.isSaved, sent }, isMirrored)
    this.#inBrowser = isStored ? this.#change : NOWHERE
    this.#show()
  }

  /** Another tab has replaced the text in the browser. */
  noteReplaced(): void {
    this.#inBrowser = NOWHERE
    this.#show()
  }

  /** Sends unsent changes now. With `keepalive` the request outlives the page, if it is small enough. */
  flush(keepalive = false): Promise<void> {
    this.#stopTimers()
    if (!this.#isActive()) return Promise.resolve()
    this.#sending ??= this.#send(keepalive).finally(() => {
      this.#sending = null
      this.#show()
      if (this.#isUnsent && this.#reason === null) this.#schedule()
    })
    return this.#sending
  }

  /** The connection may be back. */
  retry(): void {
    if (this.#failures > 0) void this.flush()
  }

  get id(): string {
    return this.#id
  }

  /** Whether something was typed or chosen that the server did not have when the composer was opened. */
  get isTouched(): boolean {
    return this.#change > 0
  }

  /** Whether the server has the text on the screen. */
  get isSaved(): boolean {
    return !this.#isUnsent && this.#version !== undefined
  }

  /** Whether the browser has what it is to have of the text on the screen. */
  get isInBrowser(): boolean {
    return this.#inBrowser !== NOWHERE
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
    return this.#mayExist ? this.#id : undefined
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
    else if (this.#isUnsent) this.#schedule()
  }

  /** The entry was saved, and its draft ended with it. */
  end(): void {
    // A request without a response may arrive after the save.
    if (this.#unanswered.size > 0) void this.#deps.discard(this.#id)
    this.stop()
  }

  /** Stops without ending the draft. Sends unsent changes once, without retries. */
  async leave(): Promise<void> {
    if (this.#phase === 'saving') this.#phase = 'left'
    if (this.#phase !== 'open') return
    this.#phase = 'leaving'
    // A request that does not contain the last changes may be in flight.
    for (let times = 0; times < 2 && this.#isUnsent && this.#isLeaving(); times += 1) await this.flush(true)
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
    const [id, version] = [this.#id, this.#version]
    const isDiscarded = this.#mayExist || this.#sending ? this.#deps.discard(id) : undefined
    if (this.#sending && version === undefined) {
      // Nothing can stop the server from creating the draft, perhaps after the deletion.
      void Promise.all([this.#sending, isDiscarded]).then(() => this.#deps.discard(id))
    } else {
      this.#abort.abort()
      this.#abort = new AbortController()
    }
    this.#begin(this.#deps.newId())
    this.#settle()
    this.#show()
  }

  /** Whether there are changes that the server has not acknowledged. */
  get #isUnsent() {
    return this.#change > this.#onServer
  }

  /** Whether the server may have the draft, acknowledged or not. */
  get #mayExist() {
    return this.#version !== undefined || this.#unanswered.size > 0
  }

  /** Continues with another draft, which the server does not know unless it has a version. */
  #begin(id: string, version?: number) {
    this.#id = id
    this.#version = version
    this.#savedAt = undefined
    this.#unanswered.clear()
  }

  /** There is nothing to store: the changes were undone, or the draft was discarded. */
  #settle() {
    this.#onServer = this.#change
    this.#inBrowser = this.#change
    this.#reason = null
    this.#failures = 0
  }

  #stopTimers() {
    clearTimeout(this.#timer)
    clearTimeout(this.#retry)
    this.#waitsSince = null
  }

  #schedule() {
    if (this.#phase !== 'open') return
    const now = performance.now()
    this.#waitsSince ??= now
    const longest = Math.max(0, this.#waitsSince + LONGEST_MS - now)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#storeOrSend(longest >= PAUSE_MS), Math.min(PAUSE_MS, longest))
  }

  /** `isPause`: nothing was typed for a while. */
  #storeOrSend(isPause: boolean) {
    this.#waitsSince = null
    const isLong = this.#deps.read().content.length > LONG_TEXT
    const isDue = isPause || performance.now() - (this.#firstUnsentAt ?? 0) >= LONGEST_OF_LONG_MS
    const isEarly = isLong && !isDue
    if (isEarly) this.#schedule()
    if (!isEarly && !this.#sending && this.#failures === 0) void this.flush()
    else if (this.#isTouched && this.#deps.isDirty()) this.store()
  }

  async #send(keepalive: boolean): Promise<void> {
    this.#firstUnsentAt = null
    if (!this.#deps.isDirty()) return this.#sendNothing()
    if (!this.#isUnsent) return
    const [id, ifMatch, change] = [this.#id, this.#version, this.#change]
    const text = this.#deps.read()
    const { signal } = this.#abort
    this.#unanswered.add(digestOf(text))
    if (this.#isTouched || this.isInBrowser) this.store()
    try {
      const saved = await this.#deps.send(id, text, { ifMatch, isFork: this.#isFork, keepalive, signal })
      if (id === this.#id) this.#acknowledge(saved, change)
    } catch (error) {
      if (id !== this.#id || signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      // If the composer was opened again, that session continues.
      if (this.#isLeaving()) return this.stop()
      if (error.code === 'stale') {
        this.#handleStale(error.current as Draft)
        return this.#send(keepalive)
      }
      this.#fail(error)
    }
  }

  /** The changes were undone: there is nothing to send. */
  #sendNothing() {
    if (this.#mayExist) {
      void this.#deps.discard(this.#id)
      this.#begin(this.#deps.newId())
    }
    this.#settle()
  }

  /** The server has the text as of a change. */
  #acknowledge({ version, savedAt }: SavedDraft, change: number) {
    this.#version = version
    this.#savedAt = savedAt
    this.#onServer = change
    this.#unanswered.clear()
    this.#reason = null
    this.#failures = 0
    // After the end, the record may be removed, or that of the next composer.
    if (this.isInBrowser && this.#phase !== 'over') this.store()
  }

  #handleStale(current: Draft) {
    if (this.#unanswered.has(digestOf(current))) {
      // The response to an earlier request was lost.
      this.#begin(current._id, current.version)
    } else {
      this.#deps.onOther(current)
      this.#isFork = true
      this.#begin(this.#deps.newId())
    }
    this.#reason = null
    this.#failures = 0
  }

  /** Sends the text again after a delay, or after the next change if the server would refuse it again. */
  #fail(error: ApiError) {
    const isGone = error.code === 'not_found' && this.#version !== undefined
    // The next change begins another draft.
    if (isGone) this.#begin(this.#deps.newId())
    this.#reason = isGone ? 'it was saved or discarded elsewhere' : unsavedReason(error)
    const isFinal = isGone || error.status === 400 || error.status === 413 || error.status === 401
    const delay = RETRIES_MS[this.#failures] ?? LONGEST_RETRY_MS
    this.#failures = isFinal ? 0 : this.#failures + 1
    if (!isFinal && this.#phase === 'open') this.#retry = setTimeout(() => void this.flush(), delay)
  }

  #status(): DraftStatus {
    if (this.isSaved && this.#savedAt !== undefined) return { kind: 'saved', at: this.#savedAt }
    if (!this.#isUnsent || !this.#deps.isDirty()) return { kind: 'none' }
    const reason = this.#reason
    if (reason !== null && this.#inBrowser === this.#change) return { kind: 'local', reason }
    if (reason !== null && !this.isInBrowser) return { kind: 'lost', reason }
    return { kind: 'saving' }
  }

  #show() {
    const status = this.#status()
    const shown = JSON.stringify(status)
    if (shown === this.#shown) return
    this.#shown = shown
    this.#deps.onStatus(status)
  }
}
