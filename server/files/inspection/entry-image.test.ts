import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bomb, picture } from '#server/files/testing.ts'
import { readEntryImage } from './entry-image.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-decode-task-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(bytes: Uint8Array) {
  const file = path.join(folder, 'upload')
  await writeFile(file, bytes)
  return readEntryImage(file)
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
    'is read from %s and kept as WebP',
    async (format) => {
      const { width, height, variants } = await read(await picture(60, 40).toFormat(format).toBuffer())
      expect([width, height]).toEqual([60, 40])
      for (const variant of [variants.full, variants.small]) {
        expect(await sharp(variant).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 })
        expect(await corners(variant)).toEqual(['red', 'blue', 'red', 'blue'])
      }
    },
  )

  it('is scaled down to a large and a small variant, and never enlarged', async () => {
    const { width, height, variants } = await read(await picture(5_000, 1_000).png().toBuffer())
    expect([width, height]).toEqual([2_400, 480])
    expect(await sharp(variants.full).metadata()).toMatchObject({ width: 2_400, height: 480 })
    expect(await sharp(variants.small).metadata()).toMatchObject({ width: 800, height: 160 })
  })

  it('is rotated upright and loses its location', async () => {
    const turned = await picture(60, 40)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Grace Hopper' }, IFD3: { GPSLatitude: '51/1 28/1 38/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(turned.includes('Grace Hopper')).toBe(true)
    const { width, height, variants } = await read(turned)
    expect([width, height]).toEqual([40, 60])
    expect(await corners(variants.full)).toEqual(['red', 'red', 'blue', 'blue'])
    for (const variant of [variants.full, variants.small]) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(variant).metadata()
      expect([exif, icc, xmp, iptc, orientation]).toEqual(Array.from({ length: 5 }, () => undefined))
      expect(Buffer.from(variant).includes('Grace Hopper')).toBe(false)
    }
  })

  it('that is cut off is shown as far as it goes', async () => {
    for (const format of ['jpeg', 'png', 'gif'] as const) {
      const whole = await picture(400, 400).toFormat(format).toBuffer()
      const { width, height, variants } = await read(whole.subarray(0, whole.length - 12))
      expect([width, height]).toEqual([400, 400])
      expect((await corners(variants.full)).slice(0, 2)).toEqual(['red', 'blue'])
    }
  })

  it('keeps transparency', async () => {
    const clear = { create: { width: 8, height: 8, channels: 4, background: '#ff000000' } } as const
    const { variants } = await read(await sharp(clear).png().toBuffer())
    expect(await sharp(variants.full).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('of an animation is its first frame', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
    const frames = await Promise.all(['red', 'blue', 'green'].map((colour) => plain(colour).png().toBuffer()))
    for (const format of ['gif', 'webp'] as const) {
      const moving = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(moving).metadata()).pages).toBe(3)
      const { width, height, variants } = await read(moving)
      expect([width, height]).toEqual([20, 20])
      expect((await sharp(variants.full).metadata()).pages ?? 1).toBe(1)
      expect((await corners(variants.full))[0]).toBe('red')
    }
  })

  it('contains no hidden data of the file', async () => {
    const script = '<script>alert(document.domain)</script>'
    const zip = Buffer.from(`PK\x03\x04${script}`, 'latin1')
    const image = await picture(30, 30)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: script } })
      .toBuffer()
    const { variants } = await read(Buffer.concat([image, zip]))
    for (const variant of [variants.full, variants.small]) {
      expect(Buffer.from(variant).includes('script')).toBe(false)
      expect(Buffer.from(variant).includes('PK\x03\x04')).toBe(false)
    }
  })
})

describe('an invalid picture', () => {
  const expected = { code: 'not_an_image', status: 415 }

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  it.each([
    ['nothing', ''],
    ['text', 'PNG'],
    ['SVG', svg],
    ['SVG with a byte order mark and a comment', `\ufeff<!-- x -->${svg}`],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'],
    ['a script that begins like a GIF', 'GIF89a/*\x01\x00\x01\x00*/=1;alert(1)'],
    ['a script that begins like a JPEG', '\xff\xd8\xff\xe0/*JFIF*/=1;alert(1)'],
    ['the name of a format and no more', 'RIFF\x00\x00\x00\x00WEBP'],
    ['HEIC', '\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'],
    ['an empty AVIF', '\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avifmiaf'],
  ])('is %s', async (_what, text) => {
    await expect(read(Buffer.from(text, 'latin1'))).rejects.toMatchObject(expected)
  })

  it('has an unsupported format', async () => {
    const tiff = await picture(9, 9).tiff().toBuffer()
    await expect(read(tiff)).rejects.toMatchObject(expected)
  })

  it('is truncated in a format of which browsers then show nothing', async () => {
    for (const format of ['webp', 'avif'] as const) {
      const whole = await picture(400, 400).toFormat(format).toBuffer()
      await expect(read(whole.subarray(0, whole.length / 2))).rejects.toMatchObject(expected)
    }
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
    const tooLarge = { code: 'too_large', message: 'An image may have at most 50 megapixels' }
    await expect(read(bomb(60_000, 60_000, 1))).rejects.toMatchObject(tooLarge)
    await expect(read(bomb(7_072, 7_072, 1))).rejects.toMatchObject(tooLarge)
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
  })

  it('has more than 50 megapixels; exactly 50 are accepted', { tags: ['long'] }, async () => {
    const { width, height } = await read(bomb(10_000, 5_000))
    expect([width, height]).toEqual([2_400, 1_200])
  })
})
