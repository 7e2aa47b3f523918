import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { explainFileProblem } from '#server/cannot-start.ts'
import { flushFolder } from '#server/private-file.ts'
import type { Files } from './files.ts'

const KEY = /^[a-z0-9]+([/.-][a-z0-9]+)*$/

/** Keeps files in a folder that is open to this user alone. Throws CannotStart where it cannot be made. */
export async function openFolder(root: string): Promise<Files> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw explainFileProblem(error, root)
  }

  const placeOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a file`)
    return path.join(root, key)
  }

  return {
    async put(key, bytes) {
      const file = placeOf(key)
      const folder = path.dirname(file)
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await writeWhole(draftOf(file), bytes)
        await rename(draftOf(file), file)
      } catch (error) {
        // Where the disk is full, what there is of it would take the room of others.
        await rm(draftOf(file), { force: true })
        throw error
      }
      await flushFolder(folder)
      if (made) await flushFolder(path.dirname(made))
    },

    async read(key) {
      const handle = await unlessAbsent(open(placeOf(key)))
      if (!handle) return null
      const { size } = await handle.stat()
      return { bytes: handle.createReadStream(), size }
    },

    async remove(key) {
      const file = placeOf(key)
      await rm(draftOf(file), { force: true })
      await rm(file, { force: true })
    },
  }
}

/** A file grows under this name, so that one of its own name is always whole. */
const draftOf = (file: string) => `${file}.part`

async function writeWhole(file: string, bytes: Uint8Array) {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function unlessAbsent<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
