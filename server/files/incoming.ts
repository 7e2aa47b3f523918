import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BaseLogger } from 'pino'
import type { FileLimits } from '#contract/files.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { formatOf, HEAD_BYTES, isPicture } from './inspection/formats.ts'
import { type Limited, tooLarge } from './settings.ts'
import { FILE_VARIANTS } from './storage-keys.ts'

/** What is expected: a file of exactly this size. */
export type Expected = { name: string; size: number; limits: FileLimits }

/** A file on the disk of this machine that is not stored yet. */
export type Incoming = { file: string; drop: () => Promise<void> }

/** How many files are taken in at a time by one process, and how many bytes they may have together. */
const OF_ONE_PERSON = 4
const OF_ALL = 64
const BYTES_OF_ALL = 4_000_000_000

/** Slower than this on the average, after a minute, is nobody who waits for an end. */
const SLOWEST_BYTES_PER_SECOND = 2_000
const GRACE_MS = 60_000

const NAME = /^milepost-incoming-[0-9a-f-]{36}(?:\.[a-z0-9]+)?$/
const OLD_MS = 6 * 3_600_000

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOENT', 'EACCES'])

type Deps = { folder: string; log: Pick<BaseLogger, 'warn' | 'error'> }

/** The files that this process is taking in: by whom, and how large each will be. */
const held = new Map<string, { person: string; size: number }>()

/**
 * Writes what arrives to a file of its own, and leaves nothing where it does not arrive whole. Throws `too_large` as soon
 * as the first bytes show a kind of file that must be smaller, `invalid` for another size than expected,
 * `too_many_requests` or `unavailable` where the person, or all together, send too much at a time.
 */
export async function receive(
  bytes: Readable,
  person: string,
  expected: Expected,
  { folder, log }: Deps,
): Promise<Incoming> {
  const file = incomingFile(folder)
  const drop = async () => {
    held.delete(file)
    for (const variant of FILE_VARIANTS)
      await rm(variant === 'original' ? file : `${file}.${variant}`, { force: true }).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'an uploaded file could not be removed')
        },
      )
  }
  requireTurn(person, expected.size)
  held.set(file, { person, size: expected.size })
  try {
    // The source stays open, so that a refusal can be answered.
    const source = bytes.iterator({ destroyOnReturn: false })
    await pipeline(source, measured(expected), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return { file, drop }
  } catch (error) {
    await drop()
    if (error instanceof AppError) throw error
    if (isOfTheDisk(error)) {
      log.error({ err: error }, 'an upload could not be kept')
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

/** The path of a new file, which is removed some hours later if nobody else does. */
export const incomingFile = (folder: string) => path.join(folder, `milepost-incoming-${randomUUID()}`)

function requireTurn(person: string, size: number): void {
  const all = [...held.values()]
  if (all.filter((other) => other.person === person).length >= OF_ONE_PERSON)
    throw refused('too_many_requests', 'Your earlier uploads are still in work.')
  const bytes = all.reduce((sum, other) => sum + other.size, size)
  if (all.length >= OF_ALL || (all.length > 0 && bytes > BYTES_OF_ALL))
    throw refused('unavailable', 'The server is busy.')
}

const refused = (code: 'too_many_requests' | 'unavailable', reason: string) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter: 5 })

const incomplete = (name: string) =>
  invalid([{ path: '', message: `“${name}” did not arrive whole. Please send it again.` }])

/** Whether it is our disk that failed, and not the client who went away. */
const isOfTheDisk = (error: unknown) =>
  error instanceof Error && 'code' in error && DISK_CODES.has(String(error.code))

/** Lets bytes pass as long as they are what was expected. */
function measured({ name, size, limits }: Expected): Transform {
  const begun = performance.now()
  let head = Buffer.alloc(0)
  let arrived = 0
  const fault = (chunk: Buffer): AppError | null => {
    arrived += chunk.length
    if (arrived > size) return invalid([{ path: '', message: `“${name}” is larger than it was said to be.` }])
    if (head.length < HEAD_BYTES && (arrived >= HEAD_BYTES || arrived === size)) {
      head = Buffer.concat([head, chunk])
      const limited = limitedAs(head)
      if (size > limits[limited]) return new AppError('too_large', tooLarge(name, limited, limits))
    } else if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk])
    const elapsed = performance.now() - begun
    const isSlow = elapsed > GRACE_MS && arrived < (elapsed / 1000) * SLOWEST_BYTES_PER_SECOND
    return isSlow ? new AppError('too_slow', `“${name}” took too long to arrive`) : null
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

function limitedAs(head: Buffer): Limited {
  const format = formatOf(head)
  if (isPicture(format)) return 'picture'
  return format === null ? 'other' : 'video'
}

/** Removes what a killed process has left behind. */
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
