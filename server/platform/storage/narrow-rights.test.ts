import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBucket } from './bucket.ts'
import { narrowBucket } from './testing-narrow-bucket.ts'

const KEY = 'images/3f/0b9f1f00-full.webp'

let bucket: Awaited<ReturnType<typeof narrowBucket>>
beforeEach(async () => {
  bucket = await narrowBucket()
})
afterEach(() => bucket.close())

describe('a missing object', () => {
  it.each([
    { status: 404, code: 'NoSuchKey' },
    { status: 404, code: 'NotFound' },
    { status: 404, code: 'ObjectNotFound' },
    { status: 404 },
    { status: 403, code: 'AccessDenied' },
    { status: 403, code: 'Forbidden' },
    { status: 403 },
    { status: 410 },
  ])('of a bucket that answers %o is missing, while others are read', async (missing) => {
    bucket.answers.missing = missing
    const files = await openBucket(bucket.settings)
    await files.put(KEY, Buffer.from('one'), 'image/webp')
    expect(await files.read('images/00/never-was.webp')).toBeNull()
    const found = await files.read(KEY)
    expect(found && (await buffer(found.bytes)).toString()).toBe('one')
    await files.remove(KEY)
    expect(await files.read(KEY)).toBeNull()
    expect([...bucket.objects.keys()]).toEqual([])
  })

  it('is found without checking the bucket for each', async () => {
    bucket.answers.missing = { status: 403, code: 'AccessDenied' }
    const files = await openBucket(bucket.settings)
    const set = vi.spyOn(bucket.objects, 'set')
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        expect(await files.read(`images/00/${index}.webp`)).toBeNull(),
      ),
    )
    expect(set).toHaveBeenCalledTimes(1)
  })
})

describe('a bucket', () => {
  it.each([
    { status: 403, code: 'AccessDenied' },
    { status: 403, code: 'InvalidAccessKeyId' },
    { status: 403, code: 'SignatureDoesNotMatch' },
    { status: 404, code: 'NoSuchBucket' },
    { status: 404 },
  ])('that answers everything with %o has lost no object', async (refusal) => {
    const files = await openBucket(bucket.settings)
    await files.put(KEY, Buffer.from('one'), 'image/webp')
    bucket.answers.refused = { GET: refusal, PUT: refusal, DELETE: refusal }
    await expect(files.read(KEY)).rejects.toThrow(/NoSuchBucket|refuses to be used/)
    bucket.answers.refused = { GET: refusal }
    await expect(files.read(KEY)).rejects.toThrow(/NoSuchBucket|refuses to be used/)
    bucket.answers.refused = {}
    expect(await files.read(KEY)).not.toBeNull()
  })

  it('says in a sentence that it refuses to be used', async () => {
    const files = await openBucket(bucket.settings)
    bucket.answers.refused = { GET: { status: 403, code: 'AccessDenied' } }
    await expect(files.read(KEY)).rejects.toThrow(
      'The bucket of S3_BUCKET, milepost-narrow, refuses to be used: AccessDenied',
    )
  })

  it('that archived an object has not lost it', async () => {
    const files = await openBucket(bucket.settings)
    bucket.answers.missing = { status: 403, code: 'InvalidObjectState' }
    await expect(files.read(KEY)).rejects.toMatchObject({ name: 'InvalidObjectState' })
  })

  it.each(['PUT', 'GET'])('that refuses %s makes the start fail with a message', async (method) => {
    bucket.answers.refused = { [method]: { status: 403, code: 'AccessDenied' } }
    await expect(openBucket(bucket.settings)).rejects.toMatchObject({
      name: 'CannotStart',
      message: 'The bucket of S3_BUCKET, milepost-narrow, cannot be used: AccessDenied.',
    })
  })

  it('that lets nothing be deleted is used, and says so', async () => {
    bucket.answers.refused = { DELETE: { status: 403, code: 'AccessDenied' } }
    const warn = vi.fn<(sentence: string) => void>()
    const files = await openBucket(bucket.settings, undefined, warn)
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('may not delete from milepost-narrow'))
    bucket.answers.missing = { status: 403, code: 'AccessDenied' }
    expect(await files.read(KEY)).toBeNull()
    await files.put(KEY, Buffer.from('one'), 'image/webp')
    await expect(files.remove(KEY)).rejects.toMatchObject({ name: 'AccessDenied' })
  })
})
