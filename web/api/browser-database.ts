import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** A browser that has not opened a database by then counts as one without: nothing waits for it. */
const OPENING_MS = 2_000

/**
 * Returns a function that runs something on a database of this browser, which is opened by the first call. It resolves to `otherwise` if
 * the browser has no database, or its disk is full: what would have been stored is then lost with the page.
 */
export function browserDatabase<S extends DBSchema>(name: string, create: (db: IDBPDatabase<S>) => unknown) {
  let opening: Promise<IDBPDatabase<S>> | undefined

  function open() {
    const terminated = () => {
      opening = undefined
    }
    opening ??= within(OPENING_MS, openDB<S>(name, 1, { upgrade: (db) => void create(db), terminated }))
    return opening
  }

  return async <T>(run: (db: IDBPDatabase<S>) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await run(await open())
    } catch (error) {
      // oxlint-disable-next-line no-console -- it is sent all the same
      console.warn(error)
      return otherwise
    }
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
