import { Outbox, type OutboxDeps } from './outbox.ts'
import { sendChange } from './page-outbox.ts'
import type { ChangeRecord } from './record.ts'
import type { ChangeStore } from './store.ts'

/** A store that outlives its outboxes, as the database of a browser outlives its pages. */
export function createTestStore(): ChangeStore & { records: Map<string, ChangeRecord> } {
  const records = new Map<string, ChangeRecord>()
  const list = (person: string) =>
    [...records.values()].filter((record) => record.person === person).sort((one, other) => one.at - other.at)
  return {
    records,
    // A copy: a page cannot alter what is stored.
    put: async (record) => void records.set(record.id, structuredClone(record)),
    has: async (id) => records.has(id),
    list: async (person) => structuredClone(list(person)),
    remove: async (id) => void records.delete(id),
    clear: async (person) => list(person).forEach(({ id }) => records.delete(id)),
  }
}

/** The outbox of a page, which can be killed: nothing of it runs any more then. */
export function createTestPage(store: ChangeStore, deps: Partial<OutboxDeps> = {}) {
  let isDead = false
  const never = new Promise<never>(() => {})
  /** Runs nothing, and resolves to nothing, once the page is dead. */
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) return never
    const result = await work()
    return isDead ? never : result
  }
  const outbox = new Outbox({
    store: {
      put: (record) => alive(() => store.put(record)),
      has: (id) => alive(() => store.has(id)),
      list: (person) => alive(() => store.list(person)),
      remove: (id) => alive(() => store.remove(id)),
      clear: (person) => alive(() => store.clear(person)),
    },
    send: (record, isRepeated) => alive(() => settledWhileAlive(sendChange(record, isRepeated))),
    later(run, milliseconds) {
      const timer = setTimeout(() => !isDead && run(), milliseconds)
      return () => clearTimeout(timer)
    },
    isOnline: () => true,
    lock: (_name, run) => run(),
    ...deps,
  })
  const settledWhileAlive = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (isDead) return never
      throw error
    }
  }
  return {
    outbox,
    kill: () => {
      isDead = true
    },
  }
}
