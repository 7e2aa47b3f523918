import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BaseLogger } from 'pino'
import { AppError } from './errors.ts'

/** A file of a form, kept on disk until its request is answered. */
export type Upload = { path: string }

const NAME = /^milepost-upload-[0-9a-f-]{36}$/
const OLD_MS = 3_600_000

/** How many uploads lie on the disk at a time: with 10 MB each, 40 MB of one person and 1 GB of all. */
const OF_ONE_PERSON = 4
const OF_ALL = 100

/** The uploads of this process that are not yet dropped, and whose they are. */
const held = new Map<Upload, string>()

/**
 * Writes what comes to a file of its own, which nobody else may read. Throws `too_many_requests` or `unavailable` where
 * the person, or all together, have too many on the disk.
 */
export async function keepUpload(bytes: Readable, person: string): Promise<Upload> {
  const own = [...held.values()].filter((other) => other === person)
  if (own.length >= OF_ONE_PERSON)
    throw refused('too_many_requests', 'Your earlier uploads are still in work.')
  if (held.size >= OF_ALL) throw refused('unavailable', 'The server is busy.')
  const upload = { path: path.join(tmpdir(), `milepost-upload-${randomUUID()}`) }
  held.set(upload, person)
  try {
    await pipeline(bytes, createWriteStream(upload.path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    held.delete(upload)
    await rm(upload.path, { force: true })
    throw error
  }
  return upload
}

const refused = (code: 'too_many_requests' | 'unavailable', reason: string) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter: 5 })

/** Removes an upload; where that fails, the log says so and nothing else comes of it. */
export async function dropUpload(upload: Upload, log: Pick<BaseLogger, 'warn'>): Promise<void> {
  held.delete(upload)
  try {
    await rm(upload.path, { force: true })
  } catch (error) {
    log.warn({ err: error }, 'an uploaded file could not be removed')
  }
}

/** Removes the uploads that a killed process has left behind. */
export async function dropOldUploads(log: Pick<BaseLogger, 'warn'>): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => NAME.test(name))
  for (const name of names) {
    const place = path.join(tmpdir(), name)
    const found = await stat(place).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > OLD_MS) await dropUpload({ path: place }, log)
  }
}
