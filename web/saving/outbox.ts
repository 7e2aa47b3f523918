import { currentOf, sessionEnded } from '#web/api/api-error.ts'
import {
  BRIEF_FAILURES,
  LATER_MS,
  LATEST_MS,
  type Patience,
  pauseAfter,
  type Verdict,
  verdictOf,
} from './patience.ts'
import { PendingChanges, pendingOf } from './pending.ts'
import {
  type ChangeRecord,
  following,
  isCreation,
  isSameChange,
  type NewChange,
  precedes,
  refersTo,
  setsTheSame,
} from './record.ts'
import type { ChangeStore } from './store.ts'

/** The outcome of a change that was made by an earlier page. */
export type ResumedChange = { record: ChangeRecord; error?: unknown }

type AddOptions = {
  patience: Patience
  /** Whether it outlives the page. */
  isStored: boolean
  onHeaders?: (headers: Headers) => void
}

type Waiter = { resolve: (answer: unknown) => void; reject: (error: unknown) => void }

type Item = {
  record: ChangeRecord
  patience: Patience
  isStored: boolean
  waiters: Waiter[]
  onHeaders: ((headers: Headers) => void) | undefined
  isSending: boolean
  /** Whether an earlier attempt may have arrived. */
  isRepeated: boolean
  failures: number
  /** Ends the pause before the next attempt. */
  cancelPause: (() => void) | undefined
}

export type OutboxDeps = {
  store: ChangeStore
  send: (record: ChangeRecord, sending: Pick<Item, 'isRepeated' | 'onHeaders'>) => Promise<unknown>
  /** Runs something after a while; returns the function that cancels it. */
  later: (run: () => void, milliseconds: number) => () => void
  isOnline: () => boolean
  /** Runs something unless another tab runs it; resolves to `taken` then. It only saves requests. */
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T | 'taken'>
  /** Where screens read what is pending; by default nothing reads it. */
  pending?: PendingChanges
}

const AT_ONCE = 2
/** How long a form waits for what an earlier page has sent. */
const CLAIM_MS = 3_000
/** How many held changes without a form are remembered, in case that the person does the same again. */
const HELD_MAX = 40

/**
 * The changes of the signed-in person on their way to the server. Each is sent, and repeated under its id, until the server has
 * answered. Order holds only within a chain: a change waits for earlier ones of the same thing, and for the creation of what it
 * refers to.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  #items: Item[] = []
  #person: string | undefined
  #sessions = 0
  #sending = 0
  #ready: Promise<void> = Promise.resolve()
  /** The pending changes in their order. */
  readonly pending: PendingChanges
  /** The last version of each thing that this browser has created in this session, if only forms of it have changed it since. */
  readonly #acknowledged = new Map<string, number>()
  onResumed: (outcome: ResumedChange) => void = () => {}

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.pending = deps.pending ?? new PendingChanges()
  }

  /** Begins the session of a person, and sends what their earlier pages have stored. */
  open(person: string): Promise<void> {
    if (this.#person !== person) {
      this.#person = person
      this.#ready = this.#load(person)
    }
    return this.#ready
  }

  /** Ends the session: nothing of its person is sent any more. What is stored is sent in their next session, or waits for its form. */
  close(): void {
    for (const item of this.#items.splice(0)) {
      item.cancelPause?.()
      if (!item.isSending) this.#giveUp(item, sessionEnded())
    }
    this.#person = undefined
    this.#sessions += 1
    this.#ready = Promise.resolve()
    this.#acknowledged.clear()
    this.#show()
  }

  /** Removes everything of a person from this browser. What is being sent is not stopped. */
  async forget(person: string): Promise<void> {
    if (person === this.#person) {
      for (const item of this.#items) item.isStored = false
      this.drop(() => true)
    }
    await this.#deps.store.clear(person)
  }

  /** Whether a change waits for the connection. */
  get hasWaiting(): boolean {
    return this.pending.read().some(({ state }) => state === 'waiting' || state === 'blocked')
  }

  /** Resolves once the changes that earlier pages have stored are known. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Returns the changes of a thing by forms, in their order. */
  ofForm(thing: string): ChangeRecord[] {
    return this.#items
      .map(({ record }) => record)
      .filter((record) => record.isOfForm && record.thing === thing)
  }

  /** Returns the last version of a thing that forms have created and changed in this session; 0 if none has. */
  acknowledgedVersion(thing: string): number {
    return this.#acknowledged.get(thing) ?? 0
  }

  /**
   * Adds a change. Resolves to the server's answer. Throws ApiError: the refusal, or the last failure when patience has ended; then the
   * change may have been made, and the same change is sent under the same id.
   */
  async add(change: NewChange, options: AddOptions): Promise<unknown> {
    const session = this.#sessions
    await this.#ready
    if (session !== this.#sessions) throw sessionEnded()
    const again = this.#items.findLast(({ record }) => record.thing === change.thing)
    if (again && isSameChange(again.record, change)) return this.#wait(again, options)
    const superseded = change.isOfForm ? [] : this.#takeSuperseded(change)
    if (change.call.startsWith('delete') && this.#dropUnsentCreation(change)) return undefined
    const at = Math.max(0, ...this.#items.map((item) => item.record.at)) + 1
    const record = { ...change, person: this.#person ?? '', at, isSent: false, isHeld: false }
    const isStored = options.isStored && this.#person !== undefined
    const item: Item = { ...newItem(record), isStored, waiters: superseded }
    this.#items.push(item)
    // Before it is sent it is stored once more: a change that waits for another one may be closed with the page.
    if (isStored) void this.#deps.store.put(record)
    return this.#wait(item, options)
  }

  /** Sends a held change again, and waits for its outcome as `add` does. */
  resume(id: string, patience: Patience): Promise<unknown> {
    const item = this.#items.find(({ record }) => record.id === id)
    return item ? this.#wait(item, { patience, isStored: item.isStored }) : Promise.resolve(undefined)
  }

  /**
   * The form of a thing is open: what an earlier page has made is sent only when the form is. Resolves once that is not on its way any
   * more, or after a while.
   */
  async hold(thing: string): Promise<void> {
    await this.#ready
    const isClaimed = ({ record, waiters }: Item) =>
      record.isOfForm && record.thing === thing && waiters.length === 0
    for (const item of this.#items.filter(isClaimed)) {
      item.patience = 'brief'
      item.failures = BRIEF_FAILURES
      if (!item.isSending && !item.record.isHeld) this.#hold(item)
    }
    this.#show()
    await this.#until(() => !this.#items.some((item) => item.isSending && isClaimed(item)), CLAIM_MS)
  }

  /** Forgets changes that are not being sent. Returns the function that brings them back, held. */
  drop(isMeant: (record: ChangeRecord) => boolean): () => void {
    const dropped = this.#items.filter((item) => isMeant(item.record) && !item.isSending)
    for (const item of dropped) {
      item.cancelPause?.()
      this.#remove(item)
      for (const { reject } of item.waiters.splice(0)) reject(sessionEnded())
    }
    return () => {
      for (const item of dropped) {
        this.#items.push(item)
        this.#hold(item)
      }
      this.#show()
    }
  }

  /** Its person asks for it again: the changes of a thing are sent at once, and are not late any more. */
  retry(thing: string): void {
    for (const item of this.#items) if (item.record.thing === thing) item.failures = 0
    this.wake()
  }

  /** The connection may be back: nothing pauses any longer. */
  wake(): void {
    for (const item of this.#items) {
      item.cancelPause?.()
      item.cancelPause = undefined
    }
    this.#pump()
  }

  /** Resolves once nothing is on its way any more, or after a while; changes that are held do not count. */
  async drained(withinMs: number): Promise<void> {
    await this.#ready
    await this.#until(() => this.#items.every(({ record }) => record.isHeld), withinMs)
  }

  #until(isOver: () => boolean, withinMs: number): Promise<void> {
    if (isOver()) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        stop()
        cancel()
        resolve()
      }
      const cancel = this.#deps.later(finish, withinMs)
      const stop = this.pending.subscribe(() => isOver() && finish())
    })
  }

  async #load(person: string): Promise<void> {
    const session = this.#sessions
    const stored = await this.#deps.store.list(person)
    if (session !== this.#sessions) return
    const resumed = stored.map((record, index) => ({
      // What follows it was sent from its form, with it; alone it would replace what others have saved since.
      ...newItem(stored.slice(index + 1).some(isSentAfter(record)) ? { ...record, isHeld: false } : record),
      isStored: true,
      patience: 'endless' as const,
      isRepeated: record.isSent,
    }))
    this.#items = [...resumed, ...this.#items]
    this.#pump()
  }

  #wait(item: Item, { patience, onHeaders }: AddOptions): Promise<unknown> {
    item.patience = patience
    item.onHeaders = onHeaders
    if (item.record.isHeld) {
      item.record = { ...item.record, isHeld: false }
      if (item.isStored) void this.#deps.store.put(item.record)
    }
    item.failures = 0
    item.cancelPause?.()
    item.cancelPause = undefined
    return new Promise((resolve, reject) => {
      item.waiters.push({ resolve, reject })
      this.#pump()
    })
  }

  #pump(): void {
    for (const item of this.#items) {
      if (this.#sending < AT_ONCE && this.#mayGo(item)) void this.#attempt(item)
    }
    this.#show()
  }

  #mayGo({ record, isSending, cancelPause }: Item): boolean {
    if (isSending || cancelPause || record.isHeld) return false
    const before = this.#items.slice(
      0,
      this.#items.findIndex((item) => item.record.id === record.id),
    )
    return !before.some((earlier) => precedes(earlier.record, record))
  }

  async #attempt(item: Item): Promise<void> {
    item.isSending = true
    this.#sending += 1
    const session = this.#sessions
    const wasOnline = this.#deps.isOnline()
    const isOver = () => session !== this.#sessions
    try {
      if (!item.record.isSent) {
        item.record = { ...item.record, isSent: true }
        if (item.isStored) await this.#deps.store.put(item.record)
      }
      if (isOver()) throw sessionEnded()
      const answer = await this.#sendOnce(item)
      item.isSending = false
      if (answer === 'taken') this.#pause(item, LATER_MS)
      else if (answer === 'gone') this.#remove(item)
      else this.#settle(item, answer, isOver())
    } catch (error) {
      item.isSending = false
      if (isOver() && verdictOf(error) !== 'refused') this.#giveUp(item, sessionEnded())
      else this.#fail(item, error, wasOnline)
    } finally {
      this.#sending -= 1
      this.#pump()
    }
  }

  /** Resolves to `taken` if another tab is sending it, and to `gone` if that has got the answer already. */
  #sendOnce(item: Item): Promise<unknown> {
    const send = async () => {
      const isOurs = item.waiters.length > 0 || (await this.#deps.store.has(item.record.id))
      return isOurs ? this.#deps.send(item.record, item) : 'gone'
    }
    return item.isStored ? this.#deps.lock(item.record.id, send) : send()
  }

  #settle(item: Item, answer: unknown, isOver: boolean): void {
    const { record } = item
    if (!isOver) this.pending.onAnswer(record, answer)
    this.#remove(item)
    if (!isOver) {
      const { thing, base } = record
      const isNext = isCreation(record) || this.#acknowledged.get(thing) === base
      if (record.isOfForm && isNext) this.#acknowledged.set(thing, base + 1)
      for (const later of this.#items)
        if (!later.record.isSent) later.record = following(later.record, record, answer)
    }
    const waiters = item.waiters.splice(0)
    for (const { resolve } of waiters) resolve(answer)
    if (waiters.length === 0 && !isOver) this.onResumed({ record })
  }

  #fail(item: Item, error: unknown, wasOnline: boolean): void {
    const { patience, failures } = item
    const verdict: Verdict = verdictOf(error)
    if (verdict === 'refused') return this.#refuse(item, error)
    item.isRepeated = true
    // A form that was opened in the meantime decides.
    if (verdict === 'signed out') return this.#giveUp(item, error)
    const pause = pauseAfter(error, { patience, failures, isAwaited: item.waiters.length > 0, wasOnline })
    if (pause === undefined) return this.#giveUp(item, error)
    item.failures += 1
    this.#pause(item, pause)
  }

  #pause(item: Item, milliseconds: number) {
    item.cancelPause = this.#deps.later(() => {
      item.cancelPause = undefined
      this.#pump()
    }, milliseconds)
  }

  /** The server will never make it. What was to follow it is not sent either: the form shows all of it again. */
  #refuse(item: Item, error: unknown) {
    const { record } = item
    const isLost = (later: Item) =>
      isCreation(record)
        ? refersTo(later.record, record.thing)
        : record.isOfForm && later.record.isOfForm && later.record.thing === record.thing
    const index = this.#items.indexOf(item)
    const rest = index === -1 ? [] : this.#items.slice(index + 1).filter(isLost)
    const current = currentOf(error)
    if (current !== null && index !== -1) this.pending.onAnswer(record, current)
    for (const refused of [item, ...rest]) {
      this.#remove(refused)
      const waiters = refused.waiters.splice(0)
      for (const { reject } of waiters) reject(error)
      if (waiters.length === 0 && index !== -1) this.onResumed({ record: refused.record, error })
    }
  }

  /**
   * Nobody waits any longer. What a form has sent is held for it, and what only this page knows for another attempt of the person. The
   * rest is over, unless its person only has to sign in again.
   */
  #giveUp(item: Item, error: unknown) {
    for (const { reject } of item.waiters.splice(0)) reject(error)
    const { isOfForm, thing } = item.record
    if (isOfForm || !item.isStored) this.#hold(item)
    else if (verdictOf(error) !== 'signed out') this.#remove(item)
    else if (this.#items.includes(item)) this.#pause(item, LATEST_MS)
    // What waits for it is given up, too.
    const next = this.#items.find(
      (later) =>
        !later.record.isHeld &&
        ((isOfForm && later.record.isOfForm && later.record.thing === thing) ||
          (isCreation(item.record) && !later.record.isSent && refersTo(later.record, thing))),
    )
    if (next && !next.isSending) this.#giveUp(next, error)
    const remembered = this.#items.filter(({ record, isStored }) => record.isHeld && !isStored)
    for (const oldest of remembered.slice(0, -HELD_MAX)) this.#remove(oldest)
  }

  #hold(item: Item) {
    item.cancelPause?.()
    item.cancelPause = undefined
    item.record = { ...item.record, isHeld: true }
    if (item.isStored) void this.#deps.store.put(item.record)
  }

  /**
   * Something else is done with a thing: what was given up is not repeated, and a value that was not sent is replaced. Returns who
   * waits for that.
   */
  #takeSuperseded(change: NewChange): Waiter[] {
    const isReplaced = ({ record, isSending }: Item) =>
      !record.isSent && !isSending && setsTheSame(record, change)
    const superseded = this.#items.filter(
      (item) =>
        item.record.thing === change.thing &&
        !item.record.isOfForm &&
        (item.record.isHeld || isReplaced(item)),
    )
    for (const item of superseded) this.#remove(item)
    return superseded.flatMap(({ waiters }) => waiters)
  }

  /** Returns whether the thing was to be created, but that was never sent. */
  #dropUnsentCreation({ thing }: NewChange): boolean {
    const isUnsent = this.#items.some(
      ({ record }) => isCreation(record) && record.thing === thing && !record.isSent,
    )
    if (isUnsent) this.drop((record) => refersTo(record, thing))
    return isUnsent
  }

  #remove(item: Item) {
    const index = this.#items.indexOf(item)
    if (index !== -1) this.#items.splice(index, 1)
    if (item.isStored) void this.#deps.store.remove(item.record.id)
    this.#show()
  }

  #show() {
    this.pending.update(pendingOf(this.#items))
  }
}

/** Whether the form of a change has sent another one after it. */
const isSentAfter = (record: ChangeRecord) => (later: ChangeRecord) =>
  later.isOfForm && later.thing === record.thing && !later.isHeld

const newItem = (record: ChangeRecord): Item => ({
  record,
  patience: 'endless',
  isStored: false,
  waiters: [],
  onHeaders: undefined,
  isSending: false,
  isRepeated: false,
  failures: 0,
  cancelPause: undefined,
})
