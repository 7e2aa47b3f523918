import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BaseLogger } from 'pino'
import type { FileLimits } from '#contract/files.ts'
import { limitOf, tooLargeText } from '#contract/parts/sizes.ts'
import { AppError, invalid } from '#server/platform/api/errors.ts'
import { isDiskFull } from '#server/platform/disk.ts'
import type { Client } from '#server/platform/limits/fair-queue.ts'
import { formatOf, HEAD_BYTES, kindOf } from './inspection/formats.ts'
import { FILE_VARIANTS } from './storage-keys.ts'
import { createUploadSlots, type Slot } from './upload-slots.ts'

/** The expected file, with its exact size. */
export type Expected = { name: string; size: number; limits: FileLimits }

/** A received file in the temporary directory that is not stored yet. */
export type Incoming = { file: string; drop: () => Promise<void> }

const NAME = /^milepost-incoming-[0-9a-f-]{36}(?:\.[a-z0-9]+)?$/
const OLD_MS = 6 * 3_600_000

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOENT', 'EACCES'])

type Deps = { folder: string; log: Pick<BaseLogger, 'warn' | 'error'> }

/** The uploads that this process is receiving. */
const slots = createUploadSlots()
const CHECK_INTERVAL_MS = 5_000
let timer: NodeJS.Timeout | undefined

/** Ends slow uploads, checking regularly while there are any. */
function checkSlowUploads(): void {
  timer ??= setInterval(() => {
    slots.endSlow()
    if (!slots.isIdle()) return
    clearInterval(timer)
    timer = undefined
  }, CHECK_INTERVAL_MS).unref()
}

/**
 * Writes an upload to a temporary file, and deletes it if the upload is incomplete. Throws `too_large` as soon as the first
 * bytes show a kind of file with a smaller limit, `invalid` for another size than expected, `too_slow`, and
 * `too_many_requests` or `unavailable` if the person, or all people together, send too much at a time.
 */
export async function receive(
  bytes: Readable,
  client: Client,
  expected: Expected,
  { folder, log }: Deps,
): Promise<Incoming> {
  const file = incomingFile(folder)
  const slot = slots.acquire(client, expected)
  checkSlowUploads()
  const drop = async () => {
    slot.release()
    for (const variant of FILE_VARIANTS)
      await rm(variant === 'original' ? file : `${file}.${variant}`, { force: true }).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'an uploaded file could not be removed')
        },
      )
  }
  try {
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
    await pipeline(endingWith(slot.ended, bytes), measured(expected, slot), target)
    slot.arrived()
    return { file, drop }
  } catch (error) {
    await drop()
    if (slot.ended.aborted) throw slot.ended.reason
    if (error instanceof AppError) throw error
    if (isDiskFull(error)) throw error
    if (isOfTheDisk(error)) {
      log.error({ err: error }, 'an upload could not be stored')
      throw new AppError(
        'unavailable',
        `“${expected.name}” could not be stored right now. Please try again in a moment.`,
        {
          retryAfter: 10,
        },
      )
    }
    throw incomplete(expected.name)
  }
}

/** Yields the chunks of a stream until the signal. The stream stays open, so that an error response can still be sent. */
async function* endingWith(signal: AbortSignal, bytes: Readable) {
  const chunks = bytes.iterator({ destroyOnReturn: false })
  for (;;) {
    // A stalled stream is no longer awaited.
    const { done, value } = await untilAborted(signal, chunks.next())
    if (done) return
    yield value as Buffer
  }
}

/**
 * Settles like a promise, or rejects at the signal. `Promise.race` with one promise for all chunks would hold every chunk in memory
 * until the upload ends.
 */
function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
  })
}

/** Returns the path of a new temporary file. If nothing else removes it, a cleanup does some hours later. */
export const incomingFile = (folder: string) => path.join(folder, `milepost-incoming-${randomUUID()}`)

const incomplete = (name: string) =>
  invalid([{ path: '', message: `“${name}” was not received completely. Please send it again.` }])

/** Returns whether our disk failed, and not the client's connection. */
const isOfTheDisk = (error: unknown) =>
  error instanceof Error && 'code' in error && DISK_CODES.has(String(error.code))

/** Passes bytes on as long as they match the expected size and kind. */
function measured({ name, size, limits }: Expected, slot: Slot): Transform {
  let head = Buffer.alloc(0)
  let arrived = 0
  const fault = (chunk: Buffer): AppError | null => {
    arrived += chunk.length
    if (arrived > size) return invalid([{ path: '', message: `“${name}” is larger than declared.` }])
    if (head.length < HEAD_BYTES && (arrived >= HEAD_BYTES || arrived === size)) {
      head = Buffer.concat([head, chunk])
      const limited = limitOf[kindOf(formatOf(head))]
      if (size > limits[limited])
        return new AppError('too_large', tooLargeText(name, limited, limits[limited]))
    } else if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk])
    slot.count(chunk.length)
    return null
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(fault(chunk), chunk)
    },
    flush(done) {
      done(arrived < size ? incomplete(name) : null)
    },
  })
}

/** Removes the temporary files of killed processes. */
export async function dropOldIncoming({ folder, log }: Deps): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => NAME.test(name))) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (!found || Date.now() - found.mtimeMs < OLD_MS) continue
    await rm(file, { force: true }).catch((error: unknown) => {
      log.warn({ err: error }, 'an uploaded file could not be removed')
    })
  }
}
