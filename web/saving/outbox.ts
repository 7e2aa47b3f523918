import { currentOf, sessionEnded } from '#web/api/api-error.ts'
import { BRIEF_FAILURES, LATER_MS, LATEST_MS, type Patience, pauseAfter, verdictOf } from './patience.ts'
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

export type OutboxDeps = {
  store: ChangeStore
  /** Sends a change once; `isRepeated`: an earlier attempt may have arrived. */
  send: (record: ChangeRecord, isRepeated: boolean) => Promise<unknown>
  /** Runs something after a while; returns the function that cancels it. */
  later: (run: () => void, milliseconds: number) => () => void
  isOnline: () => boolean
  /** Runs something unless another tab runs it; resolves to `taken` then. It only saves requests. */
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T | 'taken'>
  /** Whether the end of the session has closed the form of a stored change, which opens again and decides. */
  isAwaited?: (record: ChangeRecord) => boolean
  /** Where screens read what is pending; by default nothing reads it. */
  pending?: PendingChanges
}

/** The outcome of a change that was made by an earlier page. */
export type ResumedChange = { record: ChangeRecord; error?: unknown }

type AddOptions = {
  patience: Patience
  /** Whether it outlives the page. */
  isStored: boolean
}

/** A change on its way. */
type Item = AddOptions & {
  record: ChangeRecord
  /** Who waits for its outcome. */
  waiters: { resolve: (answer: unknown) => void; reject: (error: unknown) => void }[]
  isSending: boolean
  failures: number
  /** Ends the pause before the next attempt. */
  cancelPause: (() => void) | undefined
}

const newItem = (record: ChangeRecord, options: AddOptions, waiters: Item['waiters'] = []): Item => ({
  record,
  ...options,
  waiters,
  isSending: false,
  failures: 0,
  cancelPause: undefined,
})

/** Nothing pauses any longer before it is sent. */
function endPause(item: Item): void {
  item.cancelPause?.()
  item.cancelPause = undefined
}

const AT_ONCE = 2
/** How long a form waits for what an earlier page has sent. */
const CLAIM_MS = 3_000

/**
 * The changes of the signed-in person on their way to the server. Each is sent, and repeated under its id, until the server has
 * answered. Order holds only within a chain: a change waits for earlier ones of the same thing, and for the creation of what it
 * refers to.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  #items: Item[] = []
  #person: string | undefined
  #session = new AbortController()
  /** The last version of each thing that this browser has created in this session, if only forms of it have changed it since. */
  readonly #acknowledged = new Map<string, number>()
  /** Resolves once the changes that earlier pages have stored are known. */
  ready: Promise<void> = Promise.resolve()
  /** The pending changes in their order. */
  readonly pending: PendingChanges
  onResumed: (outcome: ResumedChange) => void = () => {}

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.pending = deps.pending ?? new PendingChanges()
  }

  /** Begins the session of a person, and sends what their earlier pages have stored. */
  open(person: string): Promise<void> {
    if (this.#person !== person) {
      this.#person = person
      this.ready = this.#load(person)
    }
    return this.ready
  }

  /** Ends the session: nothing of its person is sent any more. What is stored is sent in their next session, or waits for its form. */
  close(): void {
    this.#person = undefined
    this.ready = Promise.resolve()
    for (const item of this.#items.splice(0)) {
      item.cancelPause?.()
      if (!item.isSending) this.#giveUp(item, sessionEnded())
    }
    this.#session.abort()
    this.#session = new AbortController()
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
    const { signal } = this.#session
    await this.ready
    if (signal.aborted) throw sessionEnded()
    // A form may send one again that others of its thing have followed.
    const again =
      this.#items.find(({ record }) => record.id === change.id) ??
      this.#items.findLast(({ record }) => record.thing === change.thing)
    if (again && (again.record.id === change.id || isSameChange(again.record, change)))
      return this.#wait(again, options.patience)
    const waiters = change.isOfForm ? [] : this.#takeSuperseded(change)
    if (change.call.startsWith('delete') && this.#dropUnsentCreation(change)) return undefined
    const at = Math.max(0, ...this.#items.map(({ record }) => record.at)) + 1
    const record = { ...change, person: this.#person ?? '', at, isSent: false, isHeld: false }
    const isStored = options.isStored && this.#person !== undefined
    const item = newItem(record, { ...options, isStored }, waiters)
    this.#items.push(item)
    // Stored before it is sent: a change that waits for another one may be closed with the page.
    void this.#alter(item, {})
    return this.#wait(item, options.patience)
  }

  /** Sends a held change again, while its form waits for its outcome as that of `add`. */
  async resume(id: string): Promise<unknown> {
    const item = this.#items.find(({ record }) => record.id === id)
    return item && this.#wait(item, 'brief')
  }

  /**
   * The form of a thing is open: what an earlier page has made is sent only when the form is. Resolves once that is not on its way any
   * more, or after a while.
   */
  async hold(thing: string): Promise<void> {
    await this.ready
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
    for (const item of this.#items) endPause(item)
    this.#pump()
  }

  /** Resolves once nothing is on its way any more, or after a while; changes that are held do not count. */
  async drained(withinMs: number): Promise<void> {
    await this.ready
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
    const { signal } = this.#session
    const listed = await this.#deps.store.list(person)
    if (signal.aborted) return
    // The page may have been left before it was stored that it is held.
    const stored = listed.map((record) =>
      this.#deps.isAwaited?.(record) ? { ...record, isHeld: true } : record,
    )
    const resumed = stored.map((record, index) => {
      // What follows it was sent from its form, with it; alone it would replace what others have saved since.
      const isFollowed = stored
        .slice(index + 1)
        .some((later) => later.isOfForm && later.thing === record.thing && !later.isHeld)
      const options = { patience: 'endless', isStored: true } as const
      return newItem(isFollowed ? { ...record, isHeld: false } : record, options)
    })
    this.#items.unshift(...resumed)
    this.#pump()
  }

  #wait(item: Item, patience: Patience): Promise<unknown> {
    item.patience = patience
    item.failures = 0
    endPause(item)
    if (item.record.isHeld) void this.#alter(item, { isHeld: false })
    return new Promise((resolve, reject) => {
      item.waiters.push({ resolve, reject })
      this.#pump()
    })
  }

  /**
   * Something else is done with a thing: what was given up is not repeated, and a value that was not sent is replaced. Returns who
   * waits for that.
   */
  #takeSuperseded(change: NewChange): Item['waiters'] {
    const superseded = this.#items.filter(
      ({ record }) =>
        record.thing === change.thing &&
        !record.isOfForm &&
        (record.isHeld || (!record.isSent && setsTheSame(record, change))),
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

  /** Resolves once the change would survive the end of the browser. */
  async #alter(item: Item, fields: Partial<ChangeRecord>): Promise<void> {
    item.record = { ...item.record, ...fields }
    if (item.isStored) await this.#deps.store.put(item.record)
  }

  /** Its form decides when it is sent, or its person, who does the same again. */
  #hold(item: Item): void {
    endPause(item)
    void this.#alter(item, { isHeld: true })
  }

  #remove(item: Item): void {
    endPause(item)
    this.#items = this.#items.filter((other) => other !== item)
    if (item.isStored) void this.#deps.store.remove(item.record.id)
    this.#show()
  }

  #show(): void {
    this.pending.update(pendingOf(this.#items))
  }

  /** Sends what may be sent now: it is not held, and waits for no other one. */
  #pump(): void {
    for (const [index, item] of this.#items.entries()) {
      const { record, isSending, cancelPause } = item
      const mayGo =
        !(isSending || cancelPause || record.isHeld) &&
        this.#items.filter((other) => other.isSending).length < AT_ONCE &&
        !this.#items.slice(0, index).some((earlier) => precedes(earlier.record, record))
      if (mayGo) void this.#attempt(item)
    }
    this.#show()
  }

  async #attempt(item: Item): Promise<void> {
    const { signal } = this.#session
    const wasOnline = this.#deps.isOnline()
    const isRepeated = item.record.isSent
    item.isSending = true
    try {
      if (!isRepeated) await this.#alter(item, { isSent: true })
      if (signal.aborted) throw sessionEnded()
      const answer = await this.#sendOnce(item, isRepeated)
      item.isSending = false
      if (answer === 'taken') this.#pause(item, LATER_MS)
      else if (answer === 'gone') this.#remove(item)
      else this.#settle(item, answer, signal.aborted)
    } catch (error) {
      item.isSending = false
      const isRefused = verdictOf(error) === 'refused'
      if (isRefused) this.#refuse(item, error)
      else if (signal.aborted) this.#giveUp(item, sessionEnded())
      else this.#fail(item, error, wasOnline)
    } finally {
      this.#pump()
    }
  }

  /** Resolves to `taken` if another tab is sending it, and to `gone` if that has got the answer already. */
  #sendOnce({ record, isStored, waiters }: Item, isRepeated: boolean): Promise<unknown> {
    const send = async () => {
      const isOurs = waiters.length > 0 || (await this.#deps.store.has(record.id))
      return isOurs ? this.#deps.send(record, isRepeated) : 'gone'
    }
    return isStored ? this.#deps.lock(record.id, send) : send()
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
    const isAwaited = item.waiters.length > 0
    // A form that was opened in the meantime decides.
    const isOver = verdictOf(error) === 'signed out'
    const pause = isOver ? undefined : pauseAfter(error, { patience, failures, isAwaited, wasOnline })
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

  /** Returns what cannot be made without a change: what belongs to the thing that it creates, or its form has sent after it. */
  #dependents(item: Item): Item[] {
    const { record } = item
    const at = this.#items.indexOf(item)
    return (at === -1 ? [] : this.#items.slice(at + 1)).filter(({ record: later }) =>
      isCreation(record)
        ? refersTo(later, record.thing)
        : record.isOfForm && later.isOfForm && later.thing === record.thing,
    )
  }

  /** The server will never make it. What was to follow it is not sent either: the form shows all of it again. */
  #refuse(item: Item, error: unknown) {
    const isHere = this.#items.includes(item)
    const refused = [item, ...this.#dependents(item)]
    const current = currentOf(error)
    if (current !== null && isHere) this.pending.onAnswer(item.record, current)
    for (const each of refused) {
      this.#remove(each)
      const waiters = each.waiters.splice(0)
      for (const { reject } of waiters) reject(error)
      if (waiters.length === 0 && isHere) this.onResumed({ record: each.record, error })
    }
  }

  /**
   * Nobody waits any longer, nor for what depends on it. What a form has sent is held for it, and what only this page knows for another
   * attempt of the person. The rest is over, unless its person only has to sign in again.
   */
  #giveUp(item: Item, error: unknown) {
    const waiters = item.waiters.splice(0)
    for (const { reject } of waiters) reject(error)
    const dependents = this.#dependents(item)
    if (item.record.isOfForm || !item.isStored) this.#hold(item)
    else if (verdictOf(error) !== 'signed out') {
      this.#remove(item)
      if (waiters.length === 0) this.onResumed({ record: item.record, error })
    } else if (this.#items.includes(item)) this.#pause(item, LATEST_MS)
    for (const each of dependents)
      if (!each.isSending && !each.record.isHeld && this.#items.includes(each)) this.#giveUp(each, error)
  }
}
