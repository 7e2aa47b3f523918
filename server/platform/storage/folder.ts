import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { explainFileProblem } from '#server/cannot-start.ts'
import { makeFolder } from '#server/make-folder.ts'
import { flushFolder } from '#server/private-file.ts'
import type { Files } from './files.ts'

const KEY = /^[a-z0-9]+([/.-][a-z0-9]+)*$/

/** Stores files in a folder that only this user can access. Throws CannotStart if it cannot be created. */
export async function openFolder(root: string): Promise<Files> {
  const incoming = path.join(root, 'incoming')
  try {
    await makeFolder(incoming, 0o700)
  } catch (error) {
    throw explainFileProblem(error, root)
  }

  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a file`)
    return path.join(root, key)
  }

  /** `write` creates the file under its temporary name. */
  async function store(key: string, write: (draft: string) => Promise<void>) {
    const file = pathOf(key)
    const folder = path.dirname(file)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await write(draftOf(file))
      await rename(draftOf(file), file)
    } catch (error) {
      // On a full disk, an incomplete file would take space from others.
      await rm(draftOf(file), { force: true })
      throw error
    }
    await flushFolder(folder)
    if (made) await flushFolder(path.dirname(made))
  }

  return {
    incoming,
    put: (key, bytes) => store(key, (draft) => writeWhole(draft, bytes)),
    putFile: (key, from) => store(key, (draft) => moveWhole(from, draft)),

    async read(key, part) {
      const handle = await unlessAbsent(open(pathOf(key)))
      if (!handle) return null
      const { size } = await handle.stat()
      return part
        ? { bytes: handle.createReadStream(part), size: part.end - part.start + 1 }
        : { bytes: handle.createReadStream(), size }
    },

    async remove(key) {
      const file = pathOf(key)
      await rm(draftOf(file), { force: true })
      await rm(file, { force: true })
    },
  }
}

/** The temporary name of a file that is being written, so that files under their final names are always complete. */
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

/** Moves a file on the same disk; copies it from another. */
async function moveWhole(from: string, to: string) {
  const handle = await open(from, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(from, to)
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
