import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { stripHeif } from './strip-heif.ts'
import { stripPicture } from './strip-picture.ts'
import { box } from './testing-movies.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-hostile-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function within<T>(bytes: Buffer, strip: (file: Awaited<ReturnType<typeof open>>) => Promise<T>) {
  const file = path.join(folder, 'file')
  await writeFile(file, bytes)
  const handle = await open(file, 'r+')
  try {
    return await strip(handle)
  } finally {
    await handle.close()
  }
}

const repeated = (part: string, count: number) => Buffer.from(part.repeat(count), 'hex')

it('a picture with millions of parts needs little more memory than its size', async () => {
  const jpeg = await picture(60, 40).jpeg().toBuffer()
  const intervals = repeated('ffdd00040000', 3_000_000)
  const bytes = Buffer.concat([jpeg.subarray(0, 2), intervals, jpeg.subarray(2)])
  const before = process.memoryUsage.rss()
  expect(stripPicture('jpeg', bytes, 1).length).toBeGreaterThan(intervals.length)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
})

it('a HEIF file that declares the same bytes as metadata a thousand times is refused', async () => {
  const [id, once] = ['0001', '00000000000f4240']
  const info = Buffer.concat([
    Buffer.from('000000000001', 'hex'),
    box('infe', Buffer.from(`02000000${id}0000`, 'hex'), Buffer.from('Exif')),
  ])
  const places = Buffer.concat([Buffer.from(`0000000044000001${id}000003e8`, 'hex'), repeated(once, 1_000)])
  const meta = box('meta', Buffer.alloc(4), box('iinf', info), box('iloc', places))
  const hostile = Buffer.concat([meta, box('mdat', Buffer.alloc(1_000_000))])
  await expect(within(hostile, (file) => stripHeif(file, hostile.length))).rejects.toThrow(
    'items of an impossible size',
  )
})
