import { randomBytes } from 'node:crypto'
import { link, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './child.mjs'
import { explain } from './explain.mjs'

/** Beside node_modules, not in it: npm empties that folder. */
const LOCK = path.join(ROOT, '.setup-lock')
const BEAT = 1_000
const SILENCE = 10_000

/**
 * Does work that two commands at once would spoil for each other. The holder touches the lock every second;
 * one that has been silent for long belongs to a killed command and is taken over.
 */
export async function alone(work) {
  await acquire().catch((error) => explain(error, 'the setup'))
  const beat = setInterval(() => {
    const now = new Date()
    utimes(LOCK, now, now).catch((error) => console.error(`${LOCK} is gone (${error.code}).`))
  }, BEAT)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await rm(LOCK, { force: true })
  }
}

async function acquire() {
  const mine = `${LOCK}.${randomBytes(4).toString('hex')}`
  await writeFile(mine, `${process.pid}\n`)
  try {
    for (let told = false; !(await linked(mine)); told = true) {
      if (!told) console.log('Another command is setting Milepost up; waiting for it …')
      await removeSilent()
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

/** Renamed before it is looked at a second time: of several that wait, one takes a given lock away, and a fresh one goes back. */
async function removeSilent() {
  if (!(await isSilent(LOCK))) return
  const taken = `${LOCK}.${randomBytes(4).toString('hex')}`
  try {
    await rename(LOCK, taken)
    if (!(await isSilent(taken))) await link(taken, LOCK)
    await rm(taken, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
}

async function isSilent(file) {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > SILENCE
}
