import type { DBSchema } from 'idb'
import { browserDatabase } from '#web/api/browser-database.ts'
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

/** Returns the store in this browser's IndexedDB. What the browser refuses to store is in memory, so it lasts as long as the page. */
export function createChangeStore(): ChangeStore {
  const memory = new Map<string, ChangeRecord>()
  const attempt = browserDatabase<Schema>('milepost-changes', (db) =>
    db.createObjectStore('changes', { keyPath: 'id' }).createIndex('person', 'person'),
  )
  const ofPerson = (person: string) => [...memory.values()].filter((record) => record.person === person)

  return {
    async put(record) {
      const isStored = await attempt(async (db) => {
        const writing = db.transaction('changes', 'readwrite', { durability: 'strict' })
        await Promise.all([writing.store.put(record), writing.done])
        return true
      }, false)
      if (isStored) memory.delete(record.id)
      else memory.set(record.id, record)
    },
    has: async (id) =>
      memory.has(id) || attempt(async (db) => (await db.getKey('changes', id)) !== undefined, false),
    async list(person) {
      const stored = await attempt((db) => db.getAllFromIndex('changes', 'person', person), [])
      return [...stored, ...ofPerson(person)].sort(
        (one, other) => one.at - other.at || (one.id < other.id ? -1 : 1),
      )
    },
    async remove(id) {
      memory.delete(id)
      await attempt((db) => db.delete('changes', id), undefined)
    },
    async clear(person) {
      for (const { id } of ofPerson(person)) memory.delete(id)
      await attempt(async (db) => {
        const writing = db.transaction('changes', 'readwrite')
        const ids = await writing.store.index('person').getAllKeys(person)
        await Promise.all([...ids.map((id) => writing.store.delete(id)), writing.done])
      }, undefined)
    },
  }
}
