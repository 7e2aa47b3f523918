import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bomb, picture } from '#server/files/testing.ts'
import { inspectFile } from './inspect-task.ts'
import { variantFile } from './picture.ts'
import { MOVING_AVIF } from './testing-avif.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-decode-task-'))
})
afterAll(() => rm(folder, { recursive: true }))

const file = () => path.join(folder, 'upload')

const inspect = async (bytes: Uint8Array) => {
  await writeFile(file(), bytes)
  return inspectFile({ file: file(), name: 'photo', pixelsMax: 50_000_000 })
}

/** Returns the size of a picture, and its original and its widths as they are stored. */
async function read(bytes: Uint8Array) {
  const { kind, width, height, widths } = await inspect(bytes)
  expect(kind).toBe('image')
  const [original, widest] = [await readFile(file()), await readFile(variantFile(file(), 'widest'))]
  return { width, height, widths, original, widest }
}

/** Returns the colors in the centers of the quarters: top left, top right, bottom left, bottom right. */
async function corners(image: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
      return (data[at] ?? 0) > 128 ? 'red' : (data[at + 2] ?? 0) > 128 ? 'blue' : 'other'
    }),
  )
}

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'is read from %s and shown as WebP',
    async (format) => {
      const { width, height, widest } = await read(await picture(60, 40).toFormat(format).toBuffer())
      expect([width, height]).toEqual([60, 40])
      expect(await sharp(widest).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 })
      expect(await corners(widest)).toEqual(['red', 'blue', 'red', 'blue'])
    },
  )

  it('is scaled down to several widths, and never enlarged', async () => {
    const { width, height, widths, widest } = await read(await picture(5_000, 2_000).png().toBuffer())
    expect([width, height, widths]).toEqual([5_000, 2_000, [480, 960, 1_600, 2_400]])
    expect(await sharp(widest).metadata()).toMatchObject({ width: 2_400, height: 960 })
    expect((await read(await picture(500, 40).png().toBuffer())).widths).toEqual([480, 500])
  })

  it('is rotated upright and loses its location', async () => {
    const turned = await picture(60, 40)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Grace Hopper' }, IFD3: { GPSLatitude: '51/1 28/1 38/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(turned.includes('Grace Hopper')).toBe(true)
    const { width, height, original, widest } = await read(turned)
    expect([width, height]).toEqual([40, 60])
    expect(await corners(widest)).toEqual(['red', 'red', 'blue', 'blue'])
    const { exif, icc, xmp, iptc, orientation } = await sharp(widest).metadata()
    expect([exif, icc, xmp, iptc, orientation]).toEqual(Array.from({ length: 5 }, () => undefined))
    for (const stored of [original, widest]) expect(stored.includes('Grace Hopper')).toBe(false)
  })

  it('has the tint of most of it', async () => {
    const sky = { create: { width: 90, height: 60, channels: 3, background: '#5a8cc8' } } as const
    const sun = await sharp({ create: { ...sky.create, width: 20, height: 20, background: '#f5b040' } })
      .png()
      .toBuffer()
    const { tint } = await inspect(
      await sharp(sky)
        .composite([{ input: sun }])
        .jpeg()
        .toBuffer(),
    )
    expect(tint).toBe(1)
  })

  it('keeps transparency', async () => {
    const clear = { create: { width: 8, height: 8, channels: 4, background: '#ff000000' } } as const
    const { widest } = await read(await sharp(clear).png().toBuffer())
    expect(await sharp(widest).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('may be an AVIF animation, which is stored as one', async () => {
    const bytes = Buffer.from(MOVING_AVIF, 'base64')
    expect(await inspect(bytes)).toMatchObject({ type: 'image/avif', width: 16, height: 8, animated: true })
    expect((await readFile(file())).toString('latin1', 4, 12)).toBe('ftypavis')
  })

  it('contains no hidden data of the file', async () => {
    const script = '<script>alert(document.domain)</script>'
    const zip = Buffer.from(`PK\x03\x04${script}`, 'latin1')
    const image = await picture(30, 30)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: script } })
      .toBuffer()
    const { original, widest } = await read(Buffer.concat([image, zip]))
    for (const stored of [original, widest]) {
      expect(stored.includes('script')).toBe(false)
      expect(stored.includes('PK\x03\x04')).toBe(false)
    }
  })
})

describe('a file that is no picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  it.each([
    ['nothing', ''],
    ['text', 'PNG'],
    ['SVG', svg],
    ['SVG with a byte order mark and a comment', `\ufeff<!-- x -->${svg}`],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'],
    ['the name of HEIC and no more', '\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'],
  ])('is a download if it is %s', async (_what, text) => {
    expect(await inspect(Buffer.from(text, 'latin1'))).toMatchObject({ kind: 'other' })
  })

  it.each([
    ['a picture', 'TIFF', 'II*\0\x08\0\0\0'],
    ['a picture', 'BMP', 'BM\x3a\0\0\0'],
    ['a film', 'AVI', 'RIFF\x24\0\0\0AVI LIST'],
    ['a film', 'FLV', 'FLV\x01\x05\0\0\0\x09'],
    ['a sound', 'AMR', '#!AMR\n'],
    ['a sound', 'MIDI', 'MThd\0\0\0\x06'],
  ])('is a download, and its uploader is told, if it is %s in the format %s', async (what, _format, head) => {
    const { kind, notice } = await inspect(Buffer.from(head.padEnd(600, '\0'), 'latin1'))
    expect([kind, notice]).toEqual(['other', expect.stringContaining(`“photo” is ${what} in the format `)])
  })

  it('is a download without a word if it is neither picture, film nor sound', async () => {
    expect(await inspect(Buffer.from('%PDF-1.7'))).not.toHaveProperty('notice')
  })
})

describe('an invalid picture', () => {
  const expected = { code: 'unsupported_media', status: 415 }

  it.each([
    ['a script that begins like a GIF', 'GIF89a/*\x01\x00\x01\x00*/=1;alert(1)'],
    ['a script that begins like a JPEG', '\xff\xd8\xff\xe0/*JFIF*/=1;alert(1)'],
    ['the name of a format and no more', 'RIFF\x00\x00\x00\x00WEBP'],
    ['an empty AVIF', '\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avifmiaf'],
  ])('is %s', async (_what, text) => {
    await expect(read(Buffer.from(text, 'latin1'))).rejects.toMatchObject(expected)
  })

  it('has a header that declares more data than there is', async () => {
    await expect(read(bomb(2_000, 2_000, 2))).rejects.toMatchObject(expected)
  })

  it('has a different format from the one in its first bytes', async () => {
    const gif = await picture(9, 9).gif().toBuffer()
    const both = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), gif])
    await expect(read(both)).rejects.toMatchObject(expected)
  })
})

describe('a picture with too many pixels', () => {
  it('is refused because of its header, however small the file is', async () => {
    const before = process.memoryUsage.rss()
    const tooLarge = { code: 'too_large', message: expect.stringContaining('at most 50 megapixels') }
    await expect(read(bomb(60_000, 60_000, 1))).rejects.toMatchObject(tooLarge)
    await expect(read(bomb(7_072, 7_072, 1))).rejects.toMatchObject(tooLarge)
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
  })

  it('has more than 50 megapixels; exactly 50 are accepted', { tags: ['long'] }, async () => {
    expect((await read(bomb(10_000, 5_000))).widths).toEqual([480, 960, 1_600, 2_400])
  })
})
