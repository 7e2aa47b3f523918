import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { CannotStart, TemporaryFailure } from '#server/cannot-start.ts'
import type { BucketSettings } from '#server/settings.ts'
import type { Files } from './files.ts'

/** An object that is written, read and removed to check the access to the bucket. */
const TRIAL = 'milepost-trial'
/** For how long a successful check counts, in milliseconds. */
const PROVEN_MS = 60_000

type Limits = {
  /** The maximum time until the response to a deletion, or the first byte of a file, with all attempts. */
  responseMs: number
  /** The maximum time without progress of a connection, longer than that of a client's connection (`CONNECTION_TIMEOUT`). */
  idleMs: number
}

const LIMITS: Limits = { responseMs: 30_000, idleMs: 150_000 }

/**
 * Stores files in a bucket of an S3-compatible server. Throws CannotStart if the bucket is not readable and writable; `warn` is
 * told if nothing can be deleted from it.
 */
export async function openBucket(
  settings: BucketSettings,
  limits = LIMITS,
  warn: (sentence: string) => void = () => undefined,
): Promise<Files> {
  const client = clientOf(settings, limits)
  const trial = createTrial(client, settings.name, limits)
  try {
    await trial.run()
    if (!trial.canRemove())
      warn(
        `The access key of S3_BUCKET may not delete from ${settings.name}: files that nobody uses any more stay there, and the log names them, until it may.`,
      )
  } catch (error) {
    const sentence = `The bucket of S3_BUCKET, ${settings.name}, cannot be used: ${reasonOf(error).replace(/\.$/, '')}.`
    throw new (isRefusal(error) ? CannotStart : TemporaryFailure)(sentence, { cause: error })
  }
  return bucketFiles(client, settings.name, limits, trial)
}

type Trial = {
  /** Writes, reads and removes an object. Throws if it may not be written or read. */
  run: () => Promise<void>
  canRemove: () => boolean
  /** Throws unless the bucket was proven to be readable a moment ago, or is now. */
  requireReadable: () => Promise<void>
}

function createTrial(client: S3Client, bucket: string, { responseMs }: Limits): Trial {
  // Each process has its own, unless it would be left behind.
  const own = `${TRIAL}-${randomBytes(4).toString('hex')}`
  let key = own
  let proof: { at: number; run: Promise<void> } | undefined
  const send = (command: PutObjectCommand | DeleteObjectCommand) =>
    within(responseMs, (abortSignal) => client.send(command, { abortSignal }))

  async function run() {
    await send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: new Uint8Array() }))
    const { Body } = await within(responseMs, (abortSignal) =>
      client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
    )
    if (Body instanceof Readable) await buffer(Body)
    try {
      await send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
      key = own
    } catch (error) {
      if (statusOf(error) !== 403 || TEMPORARY.includes(nameOf(error))) throw error
      key = TRIAL
    }
  }

  return {
    run,
    canRemove: () => key === own,
    async requireReadable() {
      if (!proof || performance.now() - proof.at > PROVEN_MS) proof = { at: performance.now(), run: run() }
      const { run: current } = proof
      try {
        await current
      } catch (error) {
        if (proof?.run === current) proof = undefined
        throw new Error(`The bucket of S3_BUCKET, ${bucket}, refuses to be used: ${reasonOf(error)}`, {
          cause: error,
        })
      }
    },
  }
}

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')

/**
 * Returns whether this is how a bucket may tell that an object is missing: without the right to list, S3 answers 403, and some
 * servers answer 404 without a body. Both also have other reasons, which another object tells.
 */
function mayBeMissing(error: unknown): boolean {
  const status = statusOf(error)
  const isOther = ['NoSuchBucket', 'InvalidObjectState', ...TEMPORARY].includes(nameOf(error))
  return (status === 403 || status === 404 || status === 410) && !isOther
}

function reasonOf(error: unknown): string {
  if (speaksNoTls(error)) return 'S3_ENDPOINT has https, but its server speaks plain http there'
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Client errors (4xx) of S3 that may pass. */
const TEMPORARY = ['RequestTimeout', 'SlowDown']

/** Returns whether the server responded to the beginning of a TLS handshake with something else. */
const speaksNoTls = (error: unknown) =>
  error instanceof Error && error.message.includes('wrong version number')

/**
 * Returns whether the storage refused the bucket or the access key, or has no TLS or no valid certificate, rather than being
 * unreachable or overloaded.
 */
function isRefusal(error: unknown): boolean {
  if (speaksNoTls(error)) return true
  if (!(error instanceof Error) || TEMPORARY.includes(error.name)) return false
  // The names of OpenSSL: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_VERIFY_LEAF_SIGNATURE.
  if ('code' in error && /CERT|UNABLE_TO_VERIFY/.test(String(error.code))) return true
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500
  return error.name === 'CredentialsProviderError' || (status < 500 && status !== 429)
}

function clientOf({ endpoint, region, accessKey, pathStyle }: BucketSettings, { idleMs }: Limits): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: idleMs },
    // Not all S3-compatible servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(accessKey && { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret } }),
  })
}

function bucketFiles(client: S3Client, bucket: string, { responseMs }: Limits, trial: Trial): Files {
  return {
    incoming: tmpdir(),

    async put(key, bytes, type) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: type }))
    },

    async putFile(key, file, type) {
      const { size } = await stat(file)
      const failed = new AbortController()
      // The SDK does not listen for errors of a stream, so that they would end the process.
      const Body = createReadStream(file).once('error', (error) => failed.abort(error))
      const object = { Bucket: bucket, Key: key, Body, ContentLength: size, ContentType: type }
      try {
        await client.send(new PutObjectCommand(object), { abortSignal: failed.signal })
      } catch (error) {
        throw failed.signal.aborted ? failed.signal.reason : error
      } finally {
        Body.destroy()
      }
    },

    async read(key, part) {
      const Range = part && `bytes=${part.start}-${part.end}`
      try {
        const wanted = new GetObjectCommand({ Bucket: bucket, Key: key, ...(Range && { Range }) })
        const { Body, ContentLength } = await within(responseMs, (abortSignal) =>
          client.send(wanted, { abortSignal }),
        )
        if (!(Body instanceof Readable) || ContentLength === undefined)
          throw new Error(`the bucket answered ${key} without its bytes`)
        return { bytes: Body, size: ContentLength }
      } catch (error) {
        if (nameOf(error) === 'NoSuchKey') return null
        if (!mayBeMissing(error)) throw error
        await trial.requireReadable()
        return null
      }
    },

    async remove(key) {
      const unwanted = new DeleteObjectCommand({ Bucket: bucket, Key: key })
      await within(responseMs, (abortSignal) => client.send(unwanted, { abortSignal }))
    },
  }
}

/** Aborts a request that has no response in time. The time for the body of the response is not limited. */
async function within<T>(ms: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  try {
    return await send(late.signal)
  } finally {
    clearTimeout(timer)
  }
}
