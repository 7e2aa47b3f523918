import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Makes a folder and those above it, unless they are there. The recursive `mkdir` of Node.js never returns where a folder can
 * be looked up but not be made, as in `/proc`, and then keeps the process from ending.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const whole = path.resolve(folder)
  try {
    await mkdir(whole, { mode })
  } catch (error) {
    const above = path.dirname(whole)
    if (codeOf(error) === 'ENOENT' && above !== whole) {
      await makeFolder(above, mode)
      await makeOne(whole, mode)
    } else await requireFolder(whole, error)
  }
}

/** Makes a folder in one that is there. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    await requireFolder(folder, error)
  }
}

/** Throws unless a folder could not be made because it is there; on some disks, that is refused with another code. */
async function requireFolder(folder: string, error: unknown): Promise<void> {
  // A link that leads nowhere is there for `mkdir` and absent for `stat`.
  const found = await stat(folder).catch((cause: unknown) => {
    throw codeOf(error) === 'EEXIST' ? cause : error
  })
  if (!found.isDirectory()) throw error
}
