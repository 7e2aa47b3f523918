import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bomb, picture } from '#server/files/testing.ts'
import { tooManyParts } from './bounds.ts'
import { inspectPicture } from './picture.ts'
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
  expect(stripPicture('jpeg', bytes, 1).bytes.length).toBeGreaterThan(intervals.length)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
})

it('an animation of a million tiny frames, and a progressive picture of many passes, are refused before they are decoded', async () => {
  const frame = '2c0000000001000100000202440100'
  const gif = (frames: number) =>
    Buffer.concat([
      Buffer.from('47494638396101000100800000000000ffffff', 'hex'),
      repeated(frame, frames),
      Buffer.of(0x3b),
    ])
  const task = { file: path.join(folder, 'animation'), name: 'endless.gif', pixelsMax: 50_000_000 }
  await writeFile(task.file, gif(1_000_000))
  await expect(inspectPicture('gif', task)).rejects.toMatchObject({
    code: 'too_large',
    message: '“endless.gif” takes too long to read: an animation may have at most 3,000 frames',
  })
  const jpeg = await picture(60, 40).jpeg({ progressive: true }).toBuffer()
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.of(0xff, 0xda)), -2)
  const passes = Buffer.concat([
    jpeg.subarray(0, -2),
    ...Array.from({ length: 200 }, () => scan),
    jpeg.subarray(-2),
  ])
  expect(tooManyParts('jpeg', jpeg)).toBeNull()
  expect(tooManyParts('jpeg', passes)).toBe('a picture may have at most 100 passes')
})

it('a picture of one pixel by millions is refused by its header', async () => {
  const task = { file: path.join(folder, 'line'), name: 'line.png', pixelsMax: 50_000_000 }
  await writeFile(task.file, bomb(1, 49_000_000, 1))
  await expect(inspectPicture('png', task)).rejects.toMatchObject({
    code: 'too_large',
    message: '“line.png” is too long: a picture may have at most 65,535 pixels on a side',
  })
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
