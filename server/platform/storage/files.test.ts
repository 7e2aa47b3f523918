import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openBucket } from './bucket.ts'
import { type Files } from './files.ts'
import { openFiles } from './open.ts'
import { testBucket } from './testing.ts'

const KEY = 'images/3f/0b9f1f00-full.webp'

let folder: string
let s3: Awaited<ReturnType<typeof testBucket>>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-stores-'))
  s3 = await testBucket()
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

const stores: Record<string, () => Promise<Files>> = {
  'a folder': () => openFiles({ bucket: undefined, dataDir: folder }),
  'a bucket': () => openFiles({ bucket: s3.settings, dataDir: folder }),
}

async function contentOf(files: Files, key: string): Promise<Buffer | null> {
  const found = await files.read(key)
  if (!found) return null
  const bytes = await buffer(found.bytes)
  expect(bytes.length).toBe(found.size)
  return bytes
}

describe.each(Object.entries(stores))('%s', (_name, open) => {
  it('returns the stored bytes unchanged', async () => {
    const files = await open()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256))
    await files.put(KEY, bytes, 'image/webp')
    expect(bytes.equals((await contentOf(files, KEY)) ?? Buffer.alloc(0))).toBe(true)
  })

  it('replaces an existing file', async () => {
    const files = await open()
    await files.put(KEY, Buffer.from('one'), 'image/webp')
    await files.put(KEY, Buffer.from('another'), 'image/webp')
    expect(await contentOf(files, KEY)).toEqual(Buffer.from('another'))
  })

  it('returns null for a removed file, and removes missing files without an error', async () => {
    const files = await open()
    await files.put(KEY, Buffer.from('one'), 'image/webp')
    await files.remove(KEY)
    await files.remove(KEY)
    expect(await files.read(KEY)).toBeNull()
    expect(await files.read('images/00/never-was.webp')).toBeNull()
  })
})

describe('a folder of files', () => {
  it('refuses every key that could point outside of it', async () => {
    const files = await stores['a folder']?.()
    for (const key of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      'a\\..\\x',
      '.hidden',
      'a/.',
      '',
      'A',
      'a\0b',
    ]) {
      await expect(files?.read(key)).rejects.toThrow('is no key')
      await expect(files?.put(key, Buffer.alloc(1), 'image/webp')).rejects.toThrow('is no key')
      await expect(files?.remove(key)).rejects.toThrow('is no key')
    }
  })

  it('is accessible only to its user', async () => {
    const files = await stores['a folder']?.()
    await files?.put(KEY, Buffer.from('one'), 'image/webp')
    const root = path.join(folder, 'files')
    const modes = await Promise.all(
      [root, path.join(root, KEY)].map(async (name) => (await stat(name)).mode & 0o777),
    )
    expect(modes).toEqual(process.platform === 'win32' ? modes : [0o700, 0o600])
  })

  it('never returns an incomplete file, and removes it with its file', async () => {
    const files = await stores['a folder']?.()
    const shard = path.join(folder, 'files/images/aa')
    await mkdir(shard, { recursive: true })
    await writeFile(path.join(shard, 'half.webp.part'), 'ha')
    expect(await files?.read('images/aa/half.webp')).toBeNull()
    await files?.remove('images/aa/half.webp')
    expect(await readdir(shard)).toEqual([])
  })

  it('deletes a file that could not be stored completely', async () => {
    const files = await stores['a folder']?.()
    const shard = path.join(folder, 'files/images/bb')
    await mkdir(path.join(shard, 'in-the-way.webp', 'inside'), { recursive: true })
    await expect(files?.put('images/bb/in-the-way.webp', Buffer.from('x'), 'image/webp')).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EEXIST|EPERM/,
    )
    expect(await readdir(shard)).toEqual(['in-the-way.webp'])
  })

  it('that cannot be created makes the start fail with a message', async () => {
    const file = path.join(folder, 'occupied')
    await writeFile(file, '')
    await expect(openFiles({ bucket: undefined, dataDir: file })).rejects.toMatchObject({
      name: 'CannotStart',
    })
  })
})

describe('a bucket of files', () => {
  it('refuses a file that cannot be read, which does not end the process', async () => {
    const files = await openFiles({ bucket: s3.settings, dataDir: folder })
    await expect(files.putFile(KEY, folder, 'image/webp')).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('whose server falls silent fails every call after a while', async () => {
    const state = { isSilent: false, hasHeaders: false }
    const server = createServer((request, response) => {
      request.resume()
      if (!state.isSilent) return response.end()
      if (state.hasHeaders) response.writeHead(200, { 'content-length': 10 }).write('half')
      return undefined
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const file = path.join(folder, 'plans.txt')
    await writeFile(file, 'Twelve boards')
    const bucket = { ...s3.settings, endpoint: `http://127.0.0.1:${port}` }
    const files = await openBucket(bucket, { responseMs: 500, idleMs: 500 })
    state.isSilent = true
    await expect(files.remove(KEY)).rejects.toMatchObject({ name: 'AbortError' })
    await expect(files.read(KEY)).rejects.toMatchObject({ name: 'AbortError' })
    await expect(files.put(KEY, Buffer.from('one'), 'text/plain')).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await expect(files.putFile(KEY, file, 'text/plain')).rejects.toMatchObject({ name: 'TimeoutError' })
    state.hasHeaders = true
    const found = await files.read(KEY)
    await expect(found && buffer(found.bytes)).rejects.toMatchObject({ name: 'TimeoutError' })
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['is not there', { name: 'no-such-bucket' }, 'CannotStart'],
    ['takes another key', { accessKey: { id: 'UNKNOWN', secret: 'S3RVER' } }, 'CannotStart'],
    ['does not answer', { endpoint: 'http://127.0.0.1:4399' }, 'TemporaryFailure'],
  ])('that %s makes the start fail with a message', async (_what, wrong, name) => {
    const opening = openFiles({ bucket: { ...s3.settings, ...wrong }, dataDir: folder })
    await expect(opening).rejects.toMatchObject({
      name,
      message: expect.stringMatching(/^The bucket of S3_BUCKET, [a-z-]+, cannot be used: .+\.$/),
    })
  })

  it('that uses plain http although S3_ENDPOINT has https makes the start fail with a message', async () => {
    const endpoint = s3.settings.endpoint?.replace('http:', 'https:')
    await expect(openBucket({ ...s3.settings, endpoint })).rejects.toMatchObject({
      name: 'CannotStart',
      message: expect.stringContaining('S3_ENDPOINT has https, but its server speaks plain http there'),
    })
  })

  const response = (name: string, httpStatusCode: number) =>
    new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } })
  const connection = (code: string) => Object.assign(new Error('no connection'), { code })

  it.each([
    ['AccessDenied', response('AccessDenied', 403), 'CannotStart'],
    ['RequestTimeout', response('RequestTimeout', 400), 'TemporaryFailure'],
    ['SlowDown', response('SlowDown', 403), 'TemporaryFailure'],
    ['TooManyRequests', response('TooManyRequests', 429), 'TemporaryFailure'],
    ['another name in its certificate', connection('ERR_TLS_CERT_ALTNAME_INVALID'), 'CannotStart'],
    ['a self-signed certificate', connection('DEPTH_ZERO_SELF_SIGNED_CERT'), 'CannotStart'],
    ['an expired certificate', connection('CERT_HAS_EXPIRED'), 'CannotStart'],
    ['an incomplete chain', connection('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'CannotStart'],
    ['a slow handshake', connection('ERR_TLS_HANDSHAKE_TIMEOUT'), 'TemporaryFailure'],
  ])('whose server responds with %s makes the start fail', async (_what, error, name) => {
    const send = vi.spyOn(S3Client.prototype, 'send').mockRejectedValue(error)
    await expect(openBucket(s3.settings)).rejects.toMatchObject({ name })
    send.mockRestore()
  })
})
