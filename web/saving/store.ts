import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ChangeRecord } from './record.ts'

/** Where changes are stored until their outcome is known. */
export type ChangeStore = {
  /** Resolves once the change would survive the end of the browser, or is known to be in memory only. */
  put: (record: ChangeRecord) => Promise<void>
  has: (id: string) => Promise<boolean>
  /** Returns the changes of a person, in their order. */
  list: (person: string) => Promise<ChangeRecord[]>
  remove: (id: string) => Promise<void>
  /** Removes all changes of a person. */
  clear: (person: string) => Promise<void>
}

interface Schema extends DBSchema {
  changes: { key: string; value: ChangeRecord; indexes: { person: string } }
}

const NAME = 'milepost-changes'
/** A browser that has not opened a database by then counts as one without: nothing waits for it. */
const OPENING_MS = 2_000

/** Returns the store in this browser's IndexedDB. What the browser refuses to store is in memory, so it lasts as long as the page. */
export function createChangeStore(): ChangeStore {
  const memory = new Map<string, ChangeRecord>()
  let opening: Promise<IDBPDatabase<Schema>> | undefined

  function open() {
    opening ??= within(
      OPENING_MS,
      openDB<Schema>(NAME, 1, {
        upgrade: (db) =>
          void db.createObjectStore('changes', { keyPath: 'id' }).createIndex('person', 'person'),
        terminated: () => {
          opening = undefined
        },
      }),
    )
    return opening
  }

  async function attempt<T>(run: (db: IDBPDatabase<Schema>) => Promise<T>, otherwise: () => T): Promise<T> {
    try {
      return await run(await open())
    } catch (error) {
      // oxlint-disable-next-line no-console -- the change is sent all the same, but it is lost with this page
      console.warn(error)
      return otherwise()
    }
  }

  const ofPerson = (person: string) => [...memory.values()].filter((record) => record.person === person)

  return {
    put: (record) =>
      attempt(
        async (db) => {
          const writing = db.transaction('changes', 'readwrite', { durability: 'strict' })
          await Promise.all([writing.store.put(record), writing.done])
          memory.delete(record.id)
        },
        () => void memory.set(record.id, record),
      ),
    has: async (id) =>
      memory.has(id) ||
      attempt(
        async (db) => (await db.getKey('changes', id)) !== undefined,
        () => false,
      ),
    async list(person) {
      const stored = await attempt<ChangeRecord[]>(
        (db) => db.getAllFromIndex('changes', 'person', person),
        () => [],
      )
      return [...stored, ...ofPerson(person)].sort(
        (one, other) => one.at - other.at || (one.id < other.id ? -1 : 1),
      )
    },
    async remove(id) {
      memory.delete(id)
      await attempt(
        (db) => db.delete('changes', id),
        () => undefined,
      )
    },
    async clear(person) {
      for (const { id } of ofPerson(person)) memory.delete(id)
      await attempt(
        async (db) => {
          const writing = db.transaction('changes', 'readwrite')
          const ids = await writing.store.index('person').getAllKeys(person)
          await Promise.all([...ids.map((id) => writing.store.delete(id)), writing.done])
        },
        () => undefined,
      )
    },
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The browser does not open its database')), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
