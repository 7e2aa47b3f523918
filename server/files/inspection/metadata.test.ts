import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { inspectFile } from './inspect-task.ts'
import { orientationOf } from './orientation.ts'
import { variantFile } from './picture.ts'
import { box, FRAMES, GPS_TRACK_TEXT, LOCATION_TEXT, movie, SOUND, VIDEO, webm } from './testing-movies.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-metadata-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0
async function inspect(bytes: Uint8Array, pixelsMax = 50_000_000) {
  const file = path.join(folder, `upload-${(count += 1)}`)
  await writeFile(file, bytes)
  const facts = await inspectFile({ file, name: 'a file', pixelsMax })
  return { facts, file, left: await readFile(file) }
}

const OWNER = 'Grace Hopper'
const exif = {
  IFD0: { Copyright: OWNER },
  IFD2: { DateTimeOriginal: '2026:07:31 18:05:09' },
  IFD3: { GPSLatitude: '51/1 28/1 38/1', GPSLatitudeRef: 'N' },
}
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="51,28.6N" exif:Owner="${OWNER}"/></rdf:RDF></x:xmpmeta>`

const withMetadata = (format: 'jpeg' | 'png' | 'webp' | 'avif', orientation = 1) =>
  picture(60, 40).toFormat(format).withXmp(xmp).withExif(exif).withMetadata({ orientation }).toBuffer()

describe('the original of a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'of the format %s keeps its pixels and nothing else',
    async (format) => {
      const bytes = await withMetadata(format)
      expect(bytes.includes(OWNER)).toBe(true)
      const { facts, file, left } = await inspect(
        Buffer.concat([bytes, Buffer.alloc(format === 'avif' ? 0 : 9, 'PK\x03\x04')]),
      )
      expect(facts).toMatchObject({ kind: 'image', type: `image/${format}`, size: left.length })
      expect([left.includes(OWNER), left.includes('GPS'), left.includes('PK\x03\x04')]).toEqual([
        false,
        false,
        false,
      ])
      const [before, after] = await Promise.all([bytes, left].map((image) => sharp(image).raw().toBuffer()))
      expect(after).toEqual(before)
      for (const width of [file, variantFile(file, 'widest')])
        expect((await readFile(width)).includes(OWNER)).toBe(false)
    },
  )

  it('loses the boxes of an AVIF file that are not part of the picture, however large', async () => {
    const bytes = await withMetadata('avif')
    const box = Buffer.alloc(17 * 1024 * 1024)
    box.writeUInt32BE(box.length, 0)
    box.write('uuid', 4)
    box.write(OWNER, box.length - 100)
    const { left } = await inspect(Buffer.concat([bytes, box]))
    expect(left.length).toBe(bytes.length + box.length)
    expect(left.includes(OWNER)).toBe(false)
  })

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'as %s keeps the orientation of the camera, and its widths are upright',
    async (format) => {
      const { facts, file, left } = await inspect(await withMetadata(format, 6))
      expect(facts).toMatchObject({ width: 40, height: 60, widths: [40] })
      const { orientation, exif, autoOrient } = await sharp(left).metadata()
      expect(autoOrient).toEqual({ width: 40, height: 60 })
      expect([orientation ?? orientationOf(exif), left.includes(OWNER)]).toEqual([6, false])
      expect(await sharp(variantFile(file, 'widest')).metadata()).toMatchObject({ width: 40, height: 60 })
    },
  )

  it('keeps its color profile', async () => {
    const bytes = await picture(60, 40).jpeg().withIccProfile('p3').toBuffer()
    const { left } = await inspect(bytes)
    expect((await sharp(left).metadata()).icc).toEqual((await sharp(bytes).metadata()).icc)
  })

  it('has no second picture at its end, as cameras append for gain maps and previews', async () => {
    const bytes = await withMetadata('jpeg')
    const { left } = await inspect(Buffer.concat([bytes, bytes]))
    expect(left.length).toBeLessThan(bytes.length)
    expect(left.includes(OWNER)).toBe(false)
  })

  it('as a GIF keeps its frames and loses its comments', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((colour) => picture(20, 20).tint(colour).png().toBuffer()),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 3 })
      .toBuffer()
    const comment = Buffer.from(`\x21\xfe\x0c${OWNER}\0`, 'latin1')
    const at = gif.indexOf(Buffer.from([0x21, 0xff]))
    const { left } = await inspect(Buffer.concat([gif.subarray(0, at), comment, gif.subarray(at)]))
    expect(left).toEqual(gif)
  })
})

describe('a picture', () => {
  it('keeps the date it was taken, by the clock of its camera', async () => {
    for (const format of ['jpeg', 'webp'] as const)
      expect((await inspect(await withMetadata(format))).facts.takenAt).toBe('2026-07-31T18:05:09')
    expect((await inspect(await picture(9, 9).jpeg().toBuffer())).facts.takenAt).toBeNull()
  })

  it.each([
    '    :  :     :  :  ',
    '0000:00:00 00:00:00',
    '0001:01:01 00:00:00',
    '2026:02:30 10:00:00',
    '2026:13:01 00:00:00',
  ])('has no date of its camera if that wrote “%s”', async (date) => {
    const broken = { IFD2: { DateTimeOriginal: date } }
    const { facts } = await inspect(await picture(9, 9).jpeg().withExif(broken).toBuffer())
    expect(facts.takenAt).toBeNull()
  })

  it('has a placeholder of at most 500 characters, whatever its aspect ratio', async () => {
    const noise = sharp({
      create: {
        width: 600,
        height: 400,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
    for (const image of [noise, picture(1_000, 2), picture(2, 1_000), picture(1, 1)]) {
      const { blur } = (await inspect(await image.png().toBuffer())).facts
      expect(blur).toMatch(/^data:image\/webp;base64,[\w+/=]{20,480}$/)
    }
  })

  it('that is very long is limited to the maximum size of WebP', { tags: ['long'] }, async () => {
    const { facts, file } = await inspect(await picture(300, 20_000).png().toBuffer())
    expect(facts).toMatchObject({ width: 300, height: 20_000 })
    expect((await sharp(variantFile(file, 'widest')).metadata()).height).toBeLessThanOrEqual(16_383)
  })

  it('with an animation stays animated, with still variants of its first frame', async () => {
    const frames = await Promise.all(
      [10, 200].map((red) => picture(700, 500).tint({ r: red, g: 0, b: 0 }).png().toBuffer()),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: 100 })
      .toBuffer()
    const { facts, file } = await inspect(gif)
    expect(facts).toMatchObject({ animated: true, widths: [480, 700], width: 700, height: 500 })
    expect(await sharp(variantFile(file, 'moving')).metadata()).toMatchObject({ format: 'webp', pages: 2 })
    expect((await sharp(variantFile(file, '480')).metadata()).pages ?? 1).toBe(1)
  })

  it('with too many pixels in all its frames is refused with a message about their number', async () => {
    const frames = await Promise.all(
      [10, 200].map((red) => picture(700, 500).tint({ r: red, g: 0, b: 0 }).png().toBuffer()),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    await expect(inspect(gif, 500_000)).rejects.toMatchObject({
      code: 'too_large',
      message: '“a file” has too many pixels: all 2 frames together may have at most 0.5 megapixels',
    })
    await expect(inspect(gif, 300_000)).rejects.toMatchObject({
      message: '“a file” has too many pixels: a picture may have at most 0.3 megapixels',
    })
  })
})

describe('a movie', () => {
  const strip = async (bytes: Buffer) => (await inspect(bytes)).left

  it.each(['isom', 'qt  ', 'mp42'])(
    'of the brand %s loses place, dates and tracks of data, and nothing in it moves',
    async (brand) => {
      const bytes = movie(undefined, brand)
      const left = await strip(bytes)
      expect(left.length).toBe(bytes.length)
      for (const secret of [LOCATION_TEXT, GPS_TRACK_TEXT, 'Ada', 'apple', '\xe1\xc0\xff\xee'])
        expect(left.includes(Buffer.from(secret, 'latin1'))).toBe(false)
      for (const content of [FRAMES, SOUND.content])
        expect(left.indexOf(content)).toBe(bytes.indexOf(content))
      for (const type of ['stco', 'stsz', 'avc1', 'mp4a', 'vide', 'soun'])
        expect(left.indexOf(type)).toBe(bytes.indexOf(type))
      expect(await strip(left)).toEqual(left)
    },
  )

  it('is recognized by its tracks', async () => {
    const factsOf = async (bytes: Buffer) => (await inspect(bytes)).facts
    expect(await factsOf(movie([SOUND]))).toMatchObject({ kind: 'audio', type: 'audio/mp4' })
    expect(await factsOf(movie([VIDEO]))).toMatchObject({
      kind: 'video',
      type: 'video/mp4',
      width: 640,
      height: 360,
    })
    const unknown = { ...VIDEO, codec: 'apcn' }
    expect(await factsOf(movie([unknown]))).toMatchObject({ kind: 'other', type: 'application/octet-stream' })
  })

  it('in WebM loses its tags and title', async () => {
    const bytes = webm()
    const left = await strip(bytes)
    expect(left.length).toBe(bytes.length)
    expect([left.includes(LOCATION_TEXT), left.includes('Ada'), left.includes(FRAMES)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('that is truncated or inconsistent is refused', async () => {
    const whole = movie()
    const huge = Buffer.from(whole)
    huge.writeUInt32BE(0xfffffff0, 0)
    const tables = Buffer.from(whole)
    tables.writeUInt32BE(0xffffffff, tables.lastIndexOf('stco') + 8)
    const far = Buffer.from(whole)
    far.writeUInt32BE(0xffffff00, far.lastIndexOf('stco') + 12)
    const nested = (depth: number) => {
      const boxes = Buffer.alloc(depth * 8)
      for (let at = 0; at < boxes.length; at += 8) {
        boxes.writeUInt32BE(boxes.length - at, at)
        boxes.write('trak', at + 4)
      }
      return boxes
    }
    const ftyp = whole.subarray(0, whole.readUInt32BE(0))
    const bad = [
      whole.subarray(0, whole.length - 9),
      huge,
      tables,
      far,
      ftyp,
      Buffer.concat([ftyp, box('moov', nested(40))]),
      Buffer.concat([ftyp, box('moov', nested(7_000))]),
      webm().subarray(0, 90),
    ]
    for (const bytes of bad)
      await expect(inspect(bytes)).rejects.toMatchObject({
        code: 'unsupported_media',
        message: '“a file” cannot be read as video or audio; it may be broken.',
      })
  })

  it('of 200 MB is inspected with little memory', { tags: ['long'] }, async () => {
    const file = path.join(folder, 'long')
    const handle = await open(file, 'w')
    const [whole, size] = [movie(), 200_000_000]
    const ftyp = whole.readUInt32BE(0)
    const long = box('free')
    long.writeUInt32BE(size, 0)
    await handle.write(whole.subarray(0, ftyp), 0, ftyp, 0)
    await handle.write(whole, ftyp, whole.length - ftyp, ftyp)
    await handle.write(long, 0, 8, whole.length)
    await handle.truncate(whole.length + size)
    await handle.close()
    const before = process.memoryUsage.rss()
    expect(await inspectFile({ file, name: 'long', pixelsMax: 1 })).toMatchObject({ kind: 'video' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000)
  })
})
