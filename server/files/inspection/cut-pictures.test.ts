import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectFile } from './inspect-task.ts'
import { variantFile } from './picture.ts'
import { pngChunk } from './strip-picture.ts'
import { HEIC } from './testing-heic.ts'
import { movie } from './testing-movies.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-cut-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0
async function inspect(bytes: Uint8Array, name = 'boards') {
  const file = path.join(folder, `upload-${(count += 1)}`)
  await writeFile(file, bytes)
  const facts = await inspectFile({ file, name, pixelsMax: 50_000_000 })
  return { facts, file, left: await readFile(file) }
}

/** A picture that compresses badly, so that each part of the file is a part of the picture. */
const noise = (width = 120, height = 90) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

const frames = () => Promise.all([1, 2, 3].map(() => noise().png().toBuffer()))
const made: { [what: string]: () => Promise<Buffer> } = {
  'a JPEG': () => noise().jpeg().toBuffer(),
  'a progressive JPEG': () => noise().jpeg({ progressive: true }).toBuffer(),
  'a PNG': () => noise().png().toBuffer(),
  'an interlaced PNG': () => noise().png({ progressive: true }).toBuffer(),
  'a PNG with a palette': () => noise().png({ palette: true }).toBuffer(),
  'a GIF': () => noise().gif().toBuffer(),
  'an animated GIF': async () =>
    sharp(await frames(), { join: { animated: true } })
      .gif()
      .toBuffer(),
}

describe('a picture that is cut off', () => {
  it.each(Object.keys(made))(
    '%s, is taken as far as it goes, and what is stored is complete',
    async (what) => {
      const whole = (await made[what]?.()) ?? Buffer.alloc(0)
      for (const length of [
        whole.length - 1,
        whole.length - 2,
        whole.length - 15,
        Math.floor(whole.length / 2),
      ]) {
        const { facts, file, left } = await inspect(whole.subarray(0, length))
        expect(facts).toMatchObject({ kind: 'image', width: 120, height: 90, widths: [120] })
        for (const stored of [left, await readFile(variantFile(file, 'widest'))])
          expect((await sharp(stored, { failOn: 'truncated' }).stats()).isOpaque).toBe(true)
        expect((await inspect(left)).left.equals(left)).toBe(true)
      }
    },
  )

  it('as WebP or AVIF, of which browsers show nothing, is refused with the cause', async () => {
    const webp = await noise().webp().toBuffer()
    const avif = await noise().avif({ effort: 0 }).toBuffer()
    for (const bytes of [webp.subarray(0, -9), avif.subarray(0, -9)])
      await expect(inspect(bytes)).rejects.toMatchObject({
        code: 'unsupported_media',
        message: expect.stringMatching(/^“boards” is not complete: its end is missing/),
      })
  })

  it('with damage in its middle is shown, and stored whole', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const bytes = await noise().toFormat(format).toBuffer()
      bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 9)
      const { facts, left } = await inspect(bytes)
      expect(facts).toMatchObject({ kind: 'image', width: 120 })
      expect((await sharp(left, { failOn: 'error' }).stats()).channels).toHaveLength(3)
    }
  })
})

it('an animated PNG moves: its original is the animation, and its widths are still', async () => {
  const still = await noise().png().toBuffer()
  const control = Buffer.alloc(8)
  control.writeUInt32BE(2)
  const moving = Buffer.concat([still.subarray(0, 33), pngChunk('acTL', control), still.subarray(33)])
  const { facts, left } = await inspect(moving)
  expect(facts).toMatchObject({ type: 'image/png', animated: true })
  expect(left.equals(moving)).toBe(true)
})

describe.each(['AVIF', 'HEIC', 'MP4'])('%s to which something was appended', (format) => {
  it.each(['some text of a program, 51/28/38', '\0\0\0', 'a', '\xff'.repeat(40)])(
    'is taken without %j',
    async (more) => {
      const whole =
        format === 'AVIF'
          ? await noise().avif({ effort: 0 }).toBuffer()
          : format === 'HEIC'
            ? Buffer.from(HEIC, 'base64')
            : movie()
      const { facts, left } = await inspect(Buffer.concat([whole, Buffer.from(more, 'latin1')]))
      const alone = await inspect(whole)
      expect(facts).toEqual(alone.facts)
      expect(facts.kind).toBe(format === 'MP4' ? 'video' : 'image')
      expect(left.equals(alone.left)).toBe(true)
    },
  )
})

describe('a HEIC picture', () => {
  it('is shown as WebP, keeps its date, and its original loses the rest of its metadata', async () => {
    const bytes = Buffer.from(HEIC, 'base64')
    expect(bytes.includes('Grace Hopper')).toBe(true)
    const { facts, file, left } = await inspect(bytes)
    expect(facts).toMatchObject({ kind: 'image', type: 'image/heic', width: 60, height: 40, widths: [60] })
    expect(facts.takenAt).toBe('2026-07-31T18:05:09')
    expect(left.includes('Grace Hopper')).toBe(false)
    const { data } = await sharp(variantFile(file, 'widest')).raw().toBuffer({ resolveWithObject: true })
    const [red = 0, , blue = 0] = data
    expect(red > 200 && blue < 60).toBe(true)
  })

  it('that cannot be read is taken as a download, with a notice', async () => {
    const { facts } = await inspect(Buffer.from(HEIC, 'base64').subarray(0, -200), 'boards.heic')
    expect(facts).toMatchObject({
      kind: 'other',
      type: 'application/octet-stream',
      notice: expect.stringMatching(/^“boards.heic” is a picture in the format HEIC that cannot be shown/),
    })
  })
})
