import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BaseLogger } from 'pino'
import { IMAGE_SIZE_MAX } from '#contract/parts/wire.ts'
import { isDiskFull } from '#server/platform/disk.ts'
import { type Client, clientNamed, FairQueue, type Place } from '#server/platform/limits/fair-queue.ts'
import { networkOf } from '#server/platform/network.ts'
import { AppError, imageNotStored, invalid } from './errors.ts'

/** The only field of a form that accepts a file: the image of an entry, or the picture of a person. */
const IMAGE_FIELD = 'image'

/** A larger form is not read. A smaller one is read to its end, so that the client receives the error response. */
const BYTES_MAX = 50_000_000
/** The size limit of all text of a form, the same as of a JSON body. */
const TEXT_CHARACTERS_MAX = 2_000_000

/**
 * Reads a multipart form: text into the body, a file to disk. A field that comes several times, or as `tags[]` or `tags[0]`, is a list.
 * Other bodies are unchanged.
 */
export async function readMultipart(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!request.isMultipart()) return
  if (Number(request.headers['content-length']) > BYTES_MAX) {
    reply.header('connection', 'close')
    throw new AppError('too_large', 'What was sent is too large')
  }
  try {
    request.body = await readParts(request)
  } catch (error) {
    // A client whose form is not read to its end may not read the response.
    request.raw.unpipe()
    request.raw.resume()
    if (hasTooMany(error)) throw invalid([{ path: '', message: 'The form has too many fields or files' }])
    throw isMalformed(error) ? invalid([{ path: '', message: 'The form could not be understood' }]) : error
  }
}

async function readParts(request: FastifyRequest): Promise<Record<string, string | string[]>> {
  const body = new Map<string, string | string[]>()
  let characters = 0
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      request.upload = (await fileOf(part, request)) ?? request.upload
    } else if (part.valueTruncated) {
      throw new AppError('too_large', `The field ${part.fieldname} is too large`)
    } else if (typeof part.value === 'string') {
      characters += part.value.length
      if (characters > TEXT_CHARACTERS_MAX) throw new AppError('too_large', 'This is too large')
      const [, name = part.fieldname, index] = /^(.+)(\[\d{0,4}\])$/s.exec(part.fieldname) ?? []
      const before = body.get(name) ?? (index && [])
      body.set(name, before === undefined ? part.value : [before, part.value].flat())
    }
  }
  return Object.fromEntries(body)
}

/** Returns whether the parser refused the form: only its errors have no code here. */
const isMalformed = (error: unknown) => error instanceof Error && !('code' in error)

/** Returns whether the form has too many parts. This is not `too_large`, because smaller parts would not help. */
const hasTooMany = (error: unknown) =>
  error instanceof Error && 'code' in error && /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(String(error.code))

/** Removes the uploaded file of a request, if any. */
export async function dropFile(request: FastifyRequest): Promise<void> {
  if (request.upload) await dropUpload(request.upload, request.log)
}

/** Stores the file of a part on disk. Returns null for an empty or unknown file field. */
async function fileOf({ fieldname, filename, file }: MultipartFile, request: FastifyRequest) {
  if (fieldname !== IMAGE_FIELD || !filename) {
    file.resume()
    return null
  }
  const network = networkOf(request.ip)
  const client = request.caller ? { person: request.caller.userId, network } : clientNamed(network)
  const upload = await keepUpload(file, client).catch((error: unknown) => {
    if (!isOfTheDisk(error) || isDiskFull(error)) throw error
    request.log.error({ err: error }, 'an upload could not be stored')
    throw imageNotStored()
  })
  if (!file.truncated) return upload
  await dropUpload(upload, request.log)
  throw new AppError('too_large', `The image is too large: it may have at most ${IMAGE_SIZE_MAX}`)
}

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOENT', 'EACCES'])

/** Returns whether the disk failed, not the client's connection. */
const isOfTheDisk = (error: unknown) =>
  error instanceof Error && 'code' in error && DISK_CODES.has(String(error.code))

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | null
  }
}

/** The uploaded file of a form, on disk until its request ends. */
export type Upload = { path: string }

const NAME = /^milepost-upload-[0-9a-f-]{36}$/
const OLD_MS = 3_600_000

/** The concurrent uploads on disk. Their size is limited by `IMAGE_BYTES_MAX`. One that has not arrived yet may give way to others. */
const QUEUE = {
  atOnce: 100,
  each: 4,
  hold: { ms: 0 },
  tooMany: 'Your earlier uploads are still being processed.',
}
const queue = new FairQueue(QUEUE)

/** The uploads of this process that are still on disk, with their places. */
const held = new Map<string, Place>()

/**
 * Writes a stream to a private file. Throws `too_many_requests` if the person has too many uploads on disk, and
 * `unavailable` if there are too many in total.
 */
export async function keepUpload(bytes: Readable, client: Client): Promise<Upload> {
  const place = queue.enterNow(client)
  const file = path.join(tmpdir(), `milepost-upload-${randomUUID()}`)
  held.set(file, place)
  try {
    const observed = bytes.on('data', (chunk: Buffer) => place.advance(chunk.length))
    await pipeline(observed, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: place.taken })
    place.keep()
  } catch (error) {
    release(file)
    await rm(file, { force: true })
    throw place.taken.aborted ? place.taken.reason : error
  }
  return { path: file }
}

function release(file: string): void {
  held.get(file)?.release()
  held.delete(file)
}

/** Removes an upload. A failure is only logged. */
export async function dropUpload(upload: Upload, log: Pick<BaseLogger, 'warn'>): Promise<void> {
  release(upload.path)
  try {
    await rm(upload.path, { force: true })
  } catch (error) {
    log.warn({ err: error }, 'an uploaded file could not be removed')
  }
}

/** Removes the uploads that a killed process left behind. */
export async function dropOldUploads(log: Pick<BaseLogger, 'warn'>): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => NAME.test(name))
  for (const name of names) {
    const file = path.join(tmpdir(), name)
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > OLD_MS) await dropUpload({ path: file }, log)
  }
}
