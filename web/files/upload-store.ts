import type { DBSchema } from 'idb'
import { browserDatabase } from '#web/api/browser-database.ts'
import { markPending } from './pending.ts'

/** An unsent file and its account. */
export type StoredUpload = {
  id: string
  userId: string
  projectId: string
  name: string
  type: string
  bytes: Blob
  addedAt: number
}

/** The storage of unsent files in this browser. Without IndexedDB nothing is stored. */
export type UploadStore = {
  /** Returns whether it could be stored. */
  put: (upload: StoredUpload) => Promise<boolean>
  has: (id: string) => Promise<boolean>
  /** Returns the bytes of a file, or undefined. */
  read: (id: string) => Promise<Blob | undefined>
  /** Returns all files, oldest first, including those of other accounts. */
  list: () => Promise<StoredUpload[]>
  remove: (id: string) => Promise<void>
  clear: () => Promise<void>
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload }
}

/** Opens the store in this browser's IndexedDB. */
export function createUploadStore(): UploadStore {
  const attempt = browserDatabase<Schema>('milepost-uploads', (db) =>
    db.createObjectStore('uploads', { keyPath: 'id' }),
  )

  async function remove(id: string) {
    await attempt(async (db) => {
      await db.delete('uploads', id)
      if ((await db.count('uploads')) === 0) markPending(false)
    }, undefined)
  }

  return {
    put: (upload) =>
      attempt(async (db) => {
        markPending(true)
        await db.put('uploads', upload)
        return true
      }, false),
    has: (id) => attempt(async (db) => (await db.getKey('uploads', id)) !== undefined, false),
    read: (id) => attempt(async (db) => (await db.get('uploads', id))?.bytes, undefined),
    list: () =>
      attempt(async (db) => {
        const all = await db.getAll('uploads')
        return all.sort((one, other) => one.addedAt - other.addedAt || (one.id < other.id ? -1 : 1))
      }, []),
    remove,
    clear: () =>
      attempt(async (db) => {
        await db.clear('uploads')
        markPending(false)
      }, undefined),
  }
}
