import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { leftover } from '#e2e/leftovers.ts'

/** Does some work with a folder that others can pass through, and removes it. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-chaos-'))
  await chmod(folder, 0o711)
  const remove = leftover(() => rm(folder, { recursive: true, force: true }))
  try {
    return await work(folder)
  } finally {
    await remove()
  }
}
