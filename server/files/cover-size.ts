import { LRUCache } from 'lru-cache'
import type { AppDeps } from '#server/deps.ts'
import { type FileVariant, fileKey } from './storage-keys.ts'
import { findFile } from './store.ts'

type Deps = Pick<AppDeps, 'db' | 'files' | 'log'>

/** Stored files never change, so their sizes are kept by the URL's path. */
const sizes = new LRUCache<string, number>({ max: 10_000 })
const AT_ONCE = 8

const path = /^\/api\/media\/([0-9a-f-]{36})\/([a-z0-9]+)$/

/** Returns the sizes in bytes of covers, by the paths of their public URLs. Those that cannot be read are missing. */
export async function sizesOfCovers(deps: Deps, urls: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let at = 0; at < urls.length; at += AT_ONCE)
    await Promise.all(
      urls.slice(at, at + AT_ONCE).map(async (url) => {
        const size = sizes.get(url) ?? (await readSize(deps, url))
        if (size === undefined) return
        sizes.set(url, size)
        found.set(url, size)
      }),
    )
  return found
}

async function readSize({ db, files, log }: Deps, url: string): Promise<number | undefined> {
  const [, id = '', variant = ''] = path.exec(url) ?? []
  const file = await findFile(db, id)
  if (!file) return undefined
  const key = fileKey(file, variant as FileVariant)
  try {
    const stored = await files.read(key)
    stored?.bytes.destroy()
    return stored?.size
  } catch (error) {
    log.warn({ err: error, key }, 'the size of a cover could not be read')
    return undefined
  }
}
