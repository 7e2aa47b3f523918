import type { Patience } from './patience.ts'
import { type PendingChanges, pendingOf } from './pending.ts'
import { type ChangeRecord, precedes } from './record.ts'
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

/** The changes on their way, in their order, as they are in the store and as screens show them. */
export class Queue {
  #items: Item[] = []
  readonly #store: ChangeStore
  readonly pending: PendingChanges

  constructor(store: ChangeStore, pending: PendingChanges) {
    this.#store = store
    this.pending = pending
  }

  get items(): readonly Item[] {
    return this.#items
  }

  add(item: Item): void {
    this.#items.push(item)
    if (item.isStored) void this.#store.put(item.record)
  }

  /** Adds what earlier pages have stored, which comes first. */
  addStored(items: readonly Item[]): void {
    this.#items.unshift(...items)
  }

  /** Removes all items from this page, but not from the store, and returns them. */
  take(): Item[] {
    return this.#items.splice(0)
  }

  /** Returns the items after one; none if it is not here any more. */
  after(item: Item): readonly Item[] {
    const index = this.#items.indexOf(item)
    return index === -1 ? [] : this.#items.slice(index + 1)
  }

  /** Resolves once the change would survive the end of the browser. */
  async alter(item: Item, fields: Partial<ChangeRecord>): Promise<void> {
    item.record = { ...item.record, ...fields }
    if (item.isStored) await this.#store.put(item.record)
  }

  /** Its form decides when it is sent, or its person, who does the same again. */
  hold(item: Item): void {
    endPause(item)
    void this.alter(item, { isHeld: true })
  }

  remove(item: Item): void {
    const index = this.#items.indexOf(item)
    if (index !== -1) this.#items.splice(index, 1)
    if (item.isStored) void this.#store.remove(item.record.id)
    this.show()
  }

  /** Whether a change may be sent now: it is not held, and waits for no other one. */
  mayGo(item: Item): boolean {
    if (item.isSending || item.cancelPause || item.record.isHeld) return false
    const before = this.#items.slice(0, this.#items.indexOf(item))
    return !before.some((earlier) => precedes(earlier.record, item.record))
  }

  show(): void {
    this.pending.update(pendingOf(this.#items))
  }
}
