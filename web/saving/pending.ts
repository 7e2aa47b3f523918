import { Listeners } from '#web/ui/listeners.ts'
import { isLate, type Patience } from './patience.ts'
import { type ChangeRecord, precedes } from './record.ts'

/** A change whose outcome is not known, as a screen may show it. `blocked`: it waits for another one, which waits itself. */
export type PendingChange = {
  record: ChangeRecord
  state: 'saving' | 'waiting' | 'blocked' | 'held'
  blockedBy?: ChangeRecord
}

type Sending = { record: ChangeRecord; patience: Patience; failures: number }

/** Returns what screens show of the changes in the outbox, in their order. */
export function pendingOf(changes: readonly Sending[]): PendingChange[] {
  const shown: PendingChange[] = []
  for (const { record, ...sending } of changes) {
    const before = shown.find(
      (earlier) =>
        (earlier.state === 'waiting' || earlier.state === 'blocked') && precedes(earlier.record, record),
    )
    if (record.isHeld) shown.push({ record, state: 'held' })
    else if (before && before.record.thing !== record.thing)
      shown.push({ record, state: 'blocked', blockedBy: before.record })
    else shown.push({ record, state: isLate(sending) || before ? 'waiting' : 'saving' })
  }
  return shown
}

/** The changes whose outcome is not known, in their order, as an external store for React. */
export class PendingChanges {
  #all: readonly PendingChange[] = []
  #shown: readonly ChangeRecord[] = []
  readonly #listeners = new Listeners()
  /** Called with the answer of a change, or with what it was refused for, while the change is still pending. */
  onAnswer: (record: ChangeRecord, answer: unknown) => void = () => {}

  readonly subscribe = this.#listeners.add

  readonly read = (): readonly PendingChange[] => this.#all

  /** Returns the changes that lists show as made: what is held is in its form only. */
  readonly readShown = (): readonly ChangeRecord[] => this.#shown

  update(all: readonly PendingChange[]): void {
    const shown = all.flatMap(({ record, state }) => (state === 'held' ? [] : [record]))
    const isSame = (record: ChangeRecord, at: number) => {
      const before = this.#shown[at]
      return record.id === before?.id && record.params === before.params
    }
    this.#all = all
    // The same as before, if some were sent only: a screen that shows them need not be rendered again.
    if (shown.length !== this.#shown.length || !shown.every(isSame)) this.#shown = shown
    this.#listeners.call()
  }
}

/** Those of this page. */
export const pendingChanges = new PendingChanges()
