import { currentOf, sessionEnded } from '#web/api/api-error.ts'
import { LATER_MS, LATEST_MS, type Patience, pauseAfter, verdictOf } from './patience.ts'
import { type PendingChanges, pendingOf } from './pending.ts'
import { type ChangeRecord, following, isCreation, precedes, refersTo } from './record.ts'
import type { ChangeStore } from './store.ts'

type Waiter = { resolve: (answer: unknown) => void; reject: (error: unknown) => void }

/** A change on its way. */
export type Item = {
  record: ChangeRecord
  patience: Patience
  /** Whether it outlives the page. */
  isStored: boolean
  /** Who waits for its outcome. */
  waiters: Waiter[]
  onHeaders: ((headers: Headers) => void) | undefined
  isSending: boolean
  /** Whether an earlier attempt may have arrived. */
  isRepeated: boolean
  failures: number
  /** Ends the pause before the next attempt. */
  cancelPause: (() => void) | undefined
}

export const newItem = (record: ChangeRecord, fields: Partial<Item> = {}): Item => ({
  record,
  patience: 'endless',
  isStored: false,
  waiters: [],
  onHeaders: undefined,
  isSending: false,
  isRepeated: false,
  failures: 0,
  cancelPause: undefined,
  ...fields,
})

/** Nothing pauses any longer before it is sent. */
export function endPause(item: Item): void {
  item.cancelPause?.()
  item.cancelPause = undefined
}

/** The outcome of a change that was made by an earlier page. */
export type ResumedChange = { record: ChangeRecord; error?: unknown }

export type DeliveryDeps = {
  store: ChangeStore
  send: (record: ChangeRecord, sending: Pick<Item, 'isRepeated' | 'onHeaders'>) => Promise<unknown>
  /** Runs something after a while; returns the function that cancels it. */
  later: (run: () => void, milliseconds: number) => () => void
  isOnline: () => boolean
  /** Runs something unless another tab runs it; resolves to `taken` then. It only saves requests. */
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T | 'taken'>
}

const AT_ONCE = 2
/** How many held changes without a form are remembered, in case that the person does the same again. */
const HELD_MAX = 40

/** The changes on their way, in their order: sends them, repeats them, and tells those who wait. The store and the screens follow. */
export class Delivery {
  readonly #deps: DeliveryDeps
  readonly #pending: PendingChanges
  #items: Item[] = []
  #sending = 0
  #sessions = 0
  /** The last version of each thing that this browser has created in this session, if only forms of it have changed it since. */
  readonly acknowledged = new Map<string, number>()
  onResumed: (outcome: ResumedChange) => void = () => {}

  constructor(deps: DeliveryDeps, pending: PendingChanges) {
    this.#deps = deps
    this.#pending = pending
  }

  get items(): readonly Item[] {
    return this.#items
  }

  add(item: Item): void {
    this.#items.push(item)
    if (item.isStored) void this.#deps.store.put(item.record)
  }

  /** Adds what earlier pages have stored, which comes first. */
  addStored(items: readonly Item[]): void {
    this.#items.unshift(...items)
  }

  /** Resolves once the change would survive the end of the browser. */
  async alter(item: Item, fields: Partial<ChangeRecord>): Promise<void> {
    item.record = { ...item.record, ...fields }
    if (item.isStored) await this.#deps.store.put(item.record)
  }

  /** Its form decides when it is sent, or its person, who does the same again. */
  hold(item: Item): void {
    endPause(item)
    void this.alter(item, { isHeld: true })
  }

  remove(item: Item): void {
    this.#items = this.#items.filter((other) => other !== item)
    if (item.isStored) void this.#deps.store.remove(item.record.id)
    this.show()
  }

  show(): void {
    this.#pending.update(pendingOf(this.#items))
  }

  /** Returns the function that tells whether the session of now is over. */
  watchSession(): () => boolean {
    const session = this.#sessions
    return () => session !== this.#sessions
  }

  /** Ends the session: what is not being sent is given up, but stays in the store. */
  endSession(): void {
    for (const item of this.#items.splice(0)) {
      item.cancelPause?.()
      if (!item.isSending) this.#giveUp(item, sessionEnded())
    }
    this.#sessions += 1
    this.acknowledged.clear()
    this.show()
  }

  /** Sends what may be sent now. */
  pump(): void {
    for (const item of this.#items) {
      if (this.#sending < AT_ONCE && this.#mayGo(item)) void this.#attempt(item)
    }
    this.show()
  }

  /** Whether a change may be sent now: it is not held, and waits for no other one. */
  #mayGo(item: Item): boolean {
    if (item.isSending || item.cancelPause || item.record.isHeld) return false
    const before = this.#items.slice(0, this.#items.indexOf(item))
    return !before.some((earlier) => precedes(earlier.record, item.record))
  }

  async #attempt(item: Item): Promise<void> {
    item.isSending = true
    this.#sending += 1
    const wasOnline = this.#deps.isOnline()
    const isOver = this.watchSession()
    try {
      if (!item.record.isSent) await this.alter(item, { isSent: true })
      if (isOver()) throw sessionEnded()
      const answer = await this.#sendOnce(item)
      item.isSending = false
      if (answer === 'taken') this.#pause(item, LATER_MS)
      else if (answer === 'gone') this.remove(item)
      else this.#settle(item, answer, isOver())
    } catch (error) {
      item.isSending = false
      if (isOver() && verdictOf(error) !== 'refused') this.#giveUp(item, sessionEnded())
      else this.#fail(item, error, wasOnline)
    } finally {
      this.#sending -= 1
      this.pump()
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
    if (!isOver) this.#pending.onAnswer(record, answer)
    this.remove(item)
    if (!isOver) {
      const { thing, base } = record
      const isNext = isCreation(record) || this.acknowledged.get(thing) === base
      if (record.isOfForm && isNext) this.acknowledged.set(thing, base + 1)
      for (const later of this.#items)
        if (!later.record.isSent) later.record = following(later.record, record, answer)
    }
    const waiters = item.waiters.splice(0)
    for (const { resolve } of waiters) resolve(answer)
    if (waiters.length === 0 && !isOver) this.onResumed({ record })
  }

  #fail(item: Item, error: unknown, wasOnline: boolean): void {
    const { patience, failures } = item
    const verdict = verdictOf(error)
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
      this.pump()
    }, milliseconds)
  }

  /** The server will never make it. What was to follow it is not sent either: the form shows all of it again. */
  #refuse(item: Item, error: unknown) {
    const { record } = item
    const isLost = (later: Item) =>
      isCreation(record)
        ? refersTo(later.record, record.thing)
        : record.isOfForm && later.record.isOfForm && later.record.thing === record.thing
    const isHere = this.#items.includes(item)
    const rest = isHere ? this.#items.slice(this.#items.indexOf(item) + 1).filter(isLost) : []
    const current = currentOf(error)
    if (current !== null && isHere) this.#pending.onAnswer(record, current)
    for (const refused of [item, ...rest]) {
      this.remove(refused)
      const waiters = refused.waiters.splice(0)
      for (const { reject } of waiters) reject(error)
      if (waiters.length === 0 && isHere) this.onResumed({ record: refused.record, error })
    }
  }

  /**
   * Nobody waits any longer. What a form has sent is held for it, and what only this page knows for another attempt of the person. The
   * rest is over, unless its person only has to sign in again.
   */
  #giveUp(item: Item, error: unknown) {
    for (const { reject } of item.waiters.splice(0)) reject(error)
    const { isOfForm, thing } = item.record
    if (isOfForm || !item.isStored) this.hold(item)
    else if (verdictOf(error) !== 'signed out') this.remove(item)
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
    for (const oldest of remembered.slice(0, -HELD_MAX)) this.remove(oldest)
  }
}
