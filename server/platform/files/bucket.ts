import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
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

/** An object that is written and removed at the start, to check the access to the bucket. */
const TRIAL = 'milepost-trial'

type Limits = {
  /** The maximum time until the response to a deletion, or the first byte of a file, with all attempts. */
  responseMs: number
  /** The maximum time without progress of a connection, longer than that of a client's connection (`CONNECTION_TIMEOUT`). */
  idleMs: number
}

const LIMITS: Limits = { responseMs: 30_000, idleMs: 150_000 }

/** Stores files in a bucket of an S3-compatible server. Throws CannotStart if the bucket is not writable. */
export async function openBucket(settings: BucketSettings, limits = LIMITS): Promise<Files> {
  const files = bucketFiles(clientOf(settings, limits), settings.name, limits)
  try {
    await files.put(TRIAL, new Uint8Array(), 'application/octet-stream')
    await files.remove(TRIAL)
  } catch (error) {
    const sentence = `The bucket of S3_BUCKET, ${settings.name}, cannot be used: ${reasonOf(error).replace(/\.$/, '')}.`
    throw new (isRefusal(error) ? CannotStart : TemporaryFailure)(sentence, { cause: error })
  }
  return files
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

function bucketFiles(client: S3Client, bucket: string, { responseMs }: Limits): Files {
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
        if (error instanceof Error && error.name === 'NoSuchKey') return null
        throw error
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
