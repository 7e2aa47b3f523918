import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { CannotStart } from '#server/cannot-start.ts'
import type { BucketSettings } from '#server/settings.ts'
import type { Files } from './files.ts'

/** An object that is written and removed at the start, to check the access to the bucket. */
const TRIAL = 'milepost-trial'

/** Stores files in a bucket of an S3-compatible server. Throws CannotStart if the bucket is not writable. */
export async function openBucket(settings: BucketSettings): Promise<Files> {
  const files = bucketFiles(clientOf(settings), settings.name)
  try {
    await files.put(TRIAL, new Uint8Array(), 'application/octet-stream')
    await files.remove(TRIAL)
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    const sentence = `The bucket of S3_BUCKET, ${settings.name}, cannot be used: ${reason.replace(/\.$/, '')}.`
    throw new CannotStart(sentence, { cause: error })
  }
  return files
}

function clientOf({ endpoint, region, accessKey, pathStyle }: BucketSettings): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000 },
    // Not all S3-compatible servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint }),
    ...(accessKey && { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret } }),
  })
}

function bucketFiles(client: S3Client, bucket: string): Files {
  return {
    incoming: tmpdir(),

    async put(key, bytes, type) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: type }))
    },

    async putFile(key, file, type) {
      const { size } = await stat(file)
      const Body = createReadStream(file)
      const object = { Bucket: bucket, Key: key, Body, ContentLength: size, ContentType: type }
      try {
        await client.send(new PutObjectCommand(object))
      } finally {
        Body.destroy()
      }
    },

    async read(key, part) {
      const Range = part && `bytes=${part.start}-${part.end}`
      try {
        const wanted = new GetObjectCommand({ Bucket: bucket, Key: key, ...(Range && { Range }) })
        const { Body, ContentLength } = await client.send(wanted)
        if (!(Body instanceof Readable) || ContentLength === undefined)
          throw new Error(`the bucket answered ${key} without its bytes`)
        return { bytes: Body, size: ContentLength }
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return null
        throw error
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
  }
}
