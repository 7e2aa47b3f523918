import { randomBytes } from 'node:crypto'
import { link, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './child.mjs'
import { throwExplained } from './errors.mjs'

/** Beside node_modules, because npm empties that directory. */
const LOCK = path.join(ROOT, '.setup-lock')
const HEARTBEAT_MS = 1_000
const STALE_MS = 10_000

/**
 * Does work that two commands must not do concurrently. The holder touches the lock file every second. A lock file that has not
 * been touched for ten seconds belongs to a killed command and is removed.
 */
export async function withLock(work) {
  await acquire().catch((error) => throwExplained(error, 'the setup'))
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(LOCK, now, now).catch((error) => console.error(`${LOCK} is gone (${error.code}).`))
  }, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rm(LOCK, { force: true })
  }
}

async function acquire() {
  const mine = `${LOCK}.${randomBytes(4).toString('hex')}`
  await writeFile(mine, `${process.pid}\n`)
  try {
    for (let isAnnounced = false; !(await linked(mine)); isAnnounced = true) {
      if (!isAnnounced) console.log('Another command is setting Milepost up; waiting for it …')
      await removeStale()
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  } finally {
    await rm(mine, { force: true })
  }
}

async function linked(mine) {
  try {
    const now = new Date()
    await utimes(mine, now, now)
    await link(mine, LOCK)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Renames the lock before checking it again, so that only one of several waiting commands takes a stale lock. A fresh one is put back. */
async function removeStale() {
  if (!(await isStale(LOCK))) return
  const taken = `${LOCK}.${randomBytes(4).toString('hex')}`
  try {
    await rename(LOCK, taken)
    if (!(await isStale(taken))) await link(taken, LOCK)
    await rm(taken, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
}

async function isStale(file) {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}
