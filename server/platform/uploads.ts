import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BaseLogger } from 'pino'

/** A file of a form, kept on disk until its request is answered. */
export type Upload = { path: string }

const NAME = /^milepost-upload-[0-9a-f-]{36}$/
const OLD_MS = 3_600_000

/** Writes what comes to a place of its own, which nobody else may read. */
export async function keepUpload(bytes: Readable): Promise<Upload> {
  const upload = { path: path.join(tmpdir(), `milepost-upload-${randomUUID()}`) }
  try {
    await pipeline(bytes, createWriteStream(upload.path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await rm(upload.path, { force: true })
    throw error
  }
  return upload
}

/** Removes an upload; where that fails, the log says so and nothing else comes of it. */
export async function dropUpload(upload: Upload, log: Pick<BaseLogger, 'warn'>): Promise<void> {
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
