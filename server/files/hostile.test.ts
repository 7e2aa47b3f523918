import { readdir } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { createInspector } from './inspection/inspect.ts'
import { movie } from './inspection/testing-movies.ts'
import { bomb, picture } from './testing.ts'
import { uploader } from './testing-uploads.ts'

let t: TestApp
let files: ReturnType<typeof uploader>
let owner: Person
let projectId: string
beforeAll(async () => {
  t = await testApp({ inspector: createInspector(pino({ level: 'silent' })) })
  files = uploader(t)
  owner = await t.person()
  projectId = (await t.project(owner))._id
})
afterAll(() => t.close())

it('most of a hundred concurrent uploads of one person are refused, and nobody else has to wait', {
  tags: ['long'],
}, async () => {
  // Its inspection takes longer than the hundred requests take to arrive.
  const bytes = await picture(3_000, 2_000).jpeg().toBuffer()
  const reserved = await files.reserve(
    owner,
    projectId,
    Array.from({ length: 100 }, (_, n) => ({ name: `${n}.jpg`, size: bytes.length })),
  )
  const other = await t.person()
  const theirs = await files.reserve(other, (await t.project(other))._id, [
    { name: 'one.jpg', size: bytes.length },
  ])
  const finished: string[] = []
  const noted = async (who: string, sending: Promise<{ statusCode: number; headers: object }>) => {
    const response = await sending
    finished.push(who)
    return response
  }
  const all = reserved.map((file) => noted('owner', files.put(owner, file._id, bytes)))
  const one = noted('other', files.put(other, theirs[0]?._id ?? '', bytes))
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode)
  expect(Object.groupBy(statuses, String)).toEqual({
    200: Array.from({ length: 4 }, () => 200),
    429: Array.from({ length: 96 }, () => 429),
  })
  expect((await one).statusCode).toBe(200)
  expect(finished.filter((who) => who === 'owner').length).toBe(100)
  // Of the four accepted files, at most one was queued before the other person's, and one was running.
  expect(finished.slice(96).indexOf('other')).toBeLessThan(3)
  const missing = reserved.filter((_, index) => statuses[index] === 429)
  for (const file of missing.slice(0, 2))
    expect((await files.put(owner, file._id, bytes)).statusCode).toBe(200)
  expect((await readdir(t.deps.files.incoming)).filter((name) => name.startsWith('milepost'))).toEqual([])
})

it.each([
  ['a PNG of 3,600 megapixels in a few bytes', () => bomb(60_000, 60_000, 1), 413],
  ['a PNG whose header promises more than there is', () => bomb(2_000, 2_000, 2), 415],
  ['a GIF that is a script', () => Buffer.from('GIF89a/*\x01\x00\x01\x00*/=1;alert(1)', 'latin1'), 415],
  ['a JPEG that is a script', () => Buffer.from('\xff\xd8\xff\xe0/*JFIF*/=1;alert(1)', 'latin1'), 415],
  [
    'a PNG signature before a GIF',
    () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('GIF89a')]),
    415,
  ],
  ['half a movie', () => movie().subarray(0, 300), 415],
])('%s is refused, and nothing of it is stored', async (_what, make, status) => {
  const kept = await t.kept()
  const response = await files.send(owner, projectId, { name: 'x.png', type: 'image/png', bytes: make() })
  expect([response.statusCode, response.json().message]).toEqual([status, expect.stringContaining('“x.png”')])
  expect(await t.kept()).toEqual(kept)
})

it('a picture that is also an archive or a page is stored as a picture only', async () => {
  const jpeg = await picture(60, 40).jpeg().toBuffer()
  const polyglot = Buffer.concat([jpeg, Buffer.from('PK\x03\x04<script>alert(1)</script>')])
  const file = await files.upload(owner, projectId, { name: 'a.html', type: 'text/html', bytes: polyglot })
  expect(file).toMatchObject({ kind: 'image', type: 'image/jpeg' })
  const original = file.mediaURL?.replace('/widest?', '/original?') ?? ''
  const { headers, rawPayload } = await t.app.inject(original)
  expect(rawPayload.includes('script')).toBe(false)
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
})

it('invalid paths and ids return 404', async () => {
  const file = await files.upload(owner, projectId, { bytes: await picture(60, 40).jpeg().toBuffer() })
  const query = file.mediaURL?.split('?', 2)[1] ?? ''
  const paths = [
    `/api/media/${file._id}/480`,
    `/api/media/${file._id}/moving`,
    `/api/media/${file._id}/full`,
    `/api/media/${file._id}/..%2f..%2fpackage.json`,
    `/api/media/..%2f${file._id}/original`,
    `/files/..%2f${file._id}`,
    '/files/x',
  ]
  for (const path of paths)
    expect([path, (await t.app.inject(`${path}?${query}`)).statusCode]).toEqual([path, 404])
  for (const id of ['x', `${file._id}%00`])
    expect((await files.put(owner, id, Buffer.from('x'))).statusCode).toBe(404)
})

it('files without a valid size are not reserved', async () => {
  const refuse = (body: object) => t.refused('reserveFiles', { params: { projectId }, body }, { as: owner })
  const size = 3
  for (const files of [
    [],
    [{ name: 'x', size: 0 }],
    [{ name: 'x', size: -1 }],
    [{ name: 'x', size: 1e12 }],
    [{ name: 'x', size: 1.5 }],
  ])
    expect(await refuse({ files })).toMatchObject({ status: 400 })
  const many = Array.from({ length: 101 }, () => ({ name: 'x', size }))
  expect(await refuse({ files: many })).toMatchObject({ status: 400 })
  const person = await t.person()
  const { _id } = await t.project(person)
  const hundred = Array.from({ length: 100 }, () => ({ name: 'x', size }))
  for (let n = 0; n < 10; n += 1) await files.reserve(person, _id, hundred)
  const more = { params: { projectId: _id }, body: { files: [{ name: 'x', size }] } }
  expect(await t.refused('reserveFiles', more, { as: person })).toMatchObject({ status: 429 })
})
