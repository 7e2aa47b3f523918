import { currentOf, sessionEnded } from '#web/api/api-error.ts'
import { LATER_MS, LATEST_MS, pauseAfter, verdictOf } from './patience.ts'
import { type Item, type Queue } from './queue.ts'
import { type ChangeRecord, following, isCreation, refersTo } from './record.ts'
import type { ChangeStore } from './store.ts'

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

/** Sends the changes of a queue, repeats them, and tells those who wait. */
export class Delivery {
  readonly #deps: DeliveryDeps
  readonly #queue: Queue
  #sending = 0
  #sessions = 0
  /** The last version of each thing that this browser has created in this session, if only forms of it have changed it since. */
  readonly acknowledged = new Map<string, number>()
  onResumed: (outcome: ResumedChange) => void = () => {}

  constructor(deps: DeliveryDeps, queue: Queue) {
    this.#deps = deps
    this.#queue = queue
  }

  /** Returns the function that tells whether the session of now is over. */
  watchSession(): () => boolean {
    const session = this.#sessions
    return () => session !== this.#sessions
  }

  /** Ends the session: what is not being sent is given up, but stays in the store. */
  endSession(): void {
    for (const item of this.#queue.take()) {
      item.cancelPause?.()
      if (!item.isSending) this.#giveUp(item, sessionEnded())
    }
    this.#sessions += 1
    this.acknowledged.clear()
    this.#queue.show()
  }

  /** Sends what may be sent now. */
  pump(): void {
    for (const item of this.#queue.items) {
      if (this.#sending < AT_ONCE && this.#queue.mayGo(item)) void this.#attempt(item)
    }
    this.#queue.show()
  }

  async #attempt(item: Item): Promise<void> {
    item.isSending = true
    this.#sending += 1
    const wasOnline = this.#deps.isOnline()
    const isOver = this.watchSession()
    try {
      if (!item.record.isSent) await this.#queue.alter(item, { isSent: true })
      if (isOver()) throw sessionEnded()
      const answer = await this.#sendOnce(item)
      item.isSending = false
      if (answer === 'taken') this.#pause(item, LATER_MS)
      else if (answer === 'gone') this.#queue.remove(item)
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
    if (!isOver) this.#queue.pending.onAnswer(record, answer)
    this.#queue.remove(item)
    if (!isOver) {
      const { thing, base } = record
      const isNext = isCreation(record) || this.acknowledged.get(thing) === base
      if (record.isOfForm && isNext) this.acknowledged.set(thing, base + 1)
      for (const later of this.#queue.items)
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
    const rest = this.#queue.after(item).filter(isLost)
    const isHere = this.#queue.items.includes(item)
    const current = currentOf(error)
    if (current !== null && isHere) this.#queue.pending.onAnswer(record, current)
    for (const refused of [item, ...rest]) {
      this.#queue.remove(refused)
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
    if (isOfForm || !item.isStored) this.#queue.hold(item)
    else if (verdictOf(error) !== 'signed out') this.#queue.remove(item)
    else if (this.#queue.items.includes(item)) this.#pause(item, LATEST_MS)
    // What waits for it is given up, too.
    const next = this.#queue.items.find(
      (later) =>
        !later.record.isHeld &&
        ((isOfForm && later.record.isOfForm && later.record.thing === thing) ||
          (isCreation(item.record) && !later.record.isSent && refersTo(later.record, thing))),
    )
    if (next && !next.isSending) this.#giveUp(next, error)
    const remembered = this.#queue.items.filter(({ record, isStored }) => record.isHeld && !isStored)
    for (const oldest of remembered.slice(0, -HELD_MAX)) this.#queue.remove(oldest)
  }
}
