import { sessionEnded } from '#web/api/api-error.ts'
import { Delivery, type DeliveryDeps, endPause, type Item, newItem, type ResumedChange } from './delivery.ts'
import { BRIEF_FAILURES, type Patience } from './patience.ts'
import { PendingChanges } from './pending.ts'
import {
  type ChangeRecord,
  isCreation,
  isSameChange,
  type NewChange,
  refersTo,
  setsTheSame,
} from './record.ts'

export type OutboxDeps = DeliveryDeps & {
  /** Where screens read what is pending; by default nothing reads it. */
  pending?: PendingChanges
}

/** How long a form waits for what an earlier page has sent. */
const CLAIM_MS = 3_000

type AddOptions = {
  patience: Patience
  /** Whether it outlives the page. */
  isStored: boolean
  onHeaders?: (headers: Headers) => void
}

/**
 * The changes of the signed-in person on their way to the server. Each is sent, and repeated under its id, until the server has
 * answered. Order holds only within a chain: a change waits for earlier ones of the same thing, and for the creation of what it
 * refers to.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  readonly #delivery: Delivery
  #person: string | undefined
  #ready: Promise<void> = Promise.resolve()
  /** The pending changes in their order. */
  readonly pending: PendingChanges

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.pending = deps.pending ?? new PendingChanges()
    this.#delivery = new Delivery(deps, this.pending)
  }

  set onResumed(report: (outcome: ResumedChange) => void) {
    this.#delivery.onResumed = report
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
    this.#person = undefined
    this.#ready = Promise.resolve()
    this.#delivery.endSession()
  }

  /** Removes everything of a person from this browser. What is being sent is not stopped. */
  async forget(person: string): Promise<void> {
    if (person === this.#person) {
      for (const item of this.#delivery.items) item.isStored = false
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
    return this.#delivery.items
      .map(({ record }) => record)
      .filter((record) => record.isOfForm && record.thing === thing)
  }

  /** Returns the last version of a thing that forms have created and changed in this session; 0 if none has. */
  acknowledgedVersion(thing: string): number {
    return this.#delivery.acknowledged.get(thing) ?? 0
  }

  /**
   * Adds a change. Resolves to the server's answer. Throws ApiError: the refusal, or the last failure when patience has ended; then the
   * change may have been made, and the same change is sent under the same id.
   */
  async add(change: NewChange, options: AddOptions): Promise<unknown> {
    const isOver = this.#delivery.watchSession()
    await this.#ready
    if (isOver()) throw sessionEnded()
    const again = this.#delivery.items.findLast(({ record }) => record.thing === change.thing)
    if (again && isSameChange(again.record, change)) return this.#wait(again, options)
    const superseded = change.isOfForm ? [] : this.#takeSuperseded(change)
    if (change.call.startsWith('delete') && this.#dropUnsentCreation(change)) return undefined
    const at = Math.max(0, ...this.#delivery.items.map((item) => item.record.at)) + 1
    const record = { ...change, person: this.#person ?? '', at, isSent: false, isHeld: false }
    const isStored = options.isStored && this.#person !== undefined
    const item = newItem(record, { isStored, waiters: superseded })
    // Stored before it is sent: a change that waits for another one may be closed with the page.
    this.#delivery.add(item)
    return this.#wait(item, options)
  }

  /** Sends a held change again, and waits for its outcome as `add` does. */
  resume(id: string, patience: Patience): Promise<unknown> {
    const item = this.#delivery.items.find(({ record }) => record.id === id)
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
    for (const item of this.#delivery.items.filter(isClaimed)) {
      item.patience = 'brief'
      item.failures = BRIEF_FAILURES
      if (!item.isSending && !item.record.isHeld) this.#delivery.hold(item)
    }
    this.#delivery.show()
    await this.#until(() => !this.#delivery.items.some((item) => item.isSending && isClaimed(item)), CLAIM_MS)
  }

  /** Forgets changes that are not being sent. Returns the function that brings them back, held. */
  drop(isMeant: (record: ChangeRecord) => boolean): () => void {
    const dropped = this.#delivery.items.filter((item) => isMeant(item.record) && !item.isSending)
    for (const item of dropped) {
      item.cancelPause?.()
      this.#delivery.remove(item)
      for (const { reject } of item.waiters.splice(0)) reject(sessionEnded())
    }
    return () => {
      for (const item of dropped) {
        this.#delivery.add(item)
        this.#delivery.hold(item)
      }
      this.#delivery.show()
    }
  }

  /** Its person asks for it again: the changes of a thing are sent at once, and are not late any more. */
  retry(thing: string): void {
    for (const item of this.#delivery.items) if (item.record.thing === thing) item.failures = 0
    this.wake()
  }

  /** The connection may be back: nothing pauses any longer. */
  wake(): void {
    for (const item of this.#delivery.items) endPause(item)
    this.#delivery.pump()
  }

  /** Resolves once nothing is on its way any more, or after a while; changes that are held do not count. */
  async drained(withinMs: number): Promise<void> {
    await this.#ready
    await this.#until(() => this.#delivery.items.every(({ record }) => record.isHeld), withinMs)
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
    const isOver = this.#delivery.watchSession()
    const stored = await this.#deps.store.list(person)
    if (isOver()) return
    const resumed = stored.map((record, index) => {
      // What follows it was sent from its form, with it; alone it would replace what others have saved since.
      const isFollowed = stored.slice(index + 1).some(isSentAfter(record))
      const fields = { isStored: true, isRepeated: record.isSent }
      return newItem(isFollowed ? { ...record, isHeld: false } : record, fields)
    })
    this.#delivery.addStored(resumed)
    this.#delivery.pump()
  }

  #wait(item: Item, { patience, onHeaders }: AddOptions): Promise<unknown> {
    item.patience = patience
    item.onHeaders = onHeaders
    item.failures = 0
    endPause(item)
    if (item.record.isHeld) void this.#delivery.alter(item, { isHeld: false })
    return new Promise((resolve, reject) => {
      item.waiters.push({ resolve, reject })
      this.#delivery.pump()
    })
  }

  /**
   * Something else is done with a thing: what was given up is not repeated, and a value that was not sent is replaced. Returns who
   * waits for that.
   */
  #takeSuperseded(change: NewChange): Item['waiters'] {
    const isReplaced = ({ record, isSending }: Item) =>
      !record.isSent && !isSending && setsTheSame(record, change)
    const superseded = this.#delivery.items.filter(
      (item) =>
        item.record.thing === change.thing &&
        !item.record.isOfForm &&
        (item.record.isHeld || isReplaced(item)),
    )
    for (const item of superseded) this.#delivery.remove(item)
    return superseded.flatMap(({ waiters }) => waiters)
  }

  /** Returns whether the thing was to be created, but that was never sent. */
  #dropUnsentCreation({ thing }: NewChange): boolean {
    const isUnsent = this.#delivery.items.some(
      ({ record }) => isCreation(record) && record.thing === thing && !record.isSent,
    )
    if (isUnsent) this.drop((record) => refersTo(record, thing))
    return isUnsent
  }
}

/** Whether the form of a change has sent another one after it. */
const isSentAfter = (record: ChangeRecord) => (later: ChangeRecord) =>
  later.isOfForm && later.thing === record.thing && !later.isHeld
