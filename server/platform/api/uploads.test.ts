import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { dropOldUploads, dropUpload, keepUpload } from './uploads.ts'

const log = pino({ level: 'silent' })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-uploads-'))
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('TEMP', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('an upload is complete, private to its owner, and deleted with its request', async () => {
  const upload = await keepUpload(
    Readable.from([Buffer.from('one '), Buffer.from('two')]),
    clientNamed('ada'),
  )
  expect(await readFile(upload.path, 'utf8')).toBe('one two')
  const mode = (await stat(upload.path)).mode & 0o777
  expect(mode).toBe(process.platform === 'win32' ? mode : 0o600)
  await dropUpload(upload, log)
  await dropUpload(upload, log)
  expect(await readdir(folder)).toEqual([])
})

it('an aborted upload leaves no file', async () => {
  async function* breaking() {
    yield Buffer.from('one')
    throw new Error('the client went away')
  }
  await expect(keepUpload(Readable.from(breaking()), clientNamed('ada'))).rejects.toThrow('went away')
  expect(await readdir(folder)).toEqual([])
})

it('concurrent uploads of one person or several cannot fill the disk', async () => {
  const upload = (person: string) => keepUpload(Readable.from([Buffer.from('x')]), clientNamed(person))
  const own = await Promise.all([upload('bo'), upload('bo'), upload('bo'), upload('bo')])
  await expect(upload('bo')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
  const others = await Promise.all(Array.from({ length: 96 }, (_, index) => upload(`person ${index}`)))
  await expect(upload('cy')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  for (const one of own) await dropUpload(one, log)
  await dropUpload(await upload('bo'), log)
  for (const one of others) await dropUpload(one, log)
  expect(await readdir(folder)).toEqual([])
})

it('only old uploads of a killed process are removed', async () => {
  const fresh = await keepUpload(Readable.from([Buffer.from('fresh')]), clientNamed('ada'))
  const old = await keepUpload(Readable.from([Buffer.from('old')]), clientNamed('ada'))
  const foreign = path.join(folder, 'milepost-upload-of-somebody')
  await writeFile(foreign, '')
  const before = new Date(Date.now() - 2 * 3_600_000)
  for (const file of [old.path, foreign]) await utimes(file, before, before)
  await dropOldUploads(log)
  const left = [fresh.path, foreign].map((file) => path.basename(file))
  expect((await readdir(folder)).toSorted()).toEqual(left.toSorted())
})
