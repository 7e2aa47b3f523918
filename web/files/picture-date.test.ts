import readExif from 'exif-reader'
import { expect, test } from 'vitest'
import { dateIn, dateSegment, withDate } from './picture-date.ts'

const DATE = '2026:07:31 18:05:09'
const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a smaller copy of a picture has the date on which it was taken', async () => {
  const original = new Blob([bytesOf(`EXIF 2026:08:02 09:00:00\0 and ${DATE}\0`), new Uint8Array(99)])
  const copy = await withDate(new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)]), original)
  const bytes = Buffer.from(await copy.arrayBuffer())
  expect([bytes.subarray(0, 4), bytes.subarray(-2)]).toEqual([
    Buffer.from('ffd8ffe1', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ])
  const exif = bytes.subarray(6, 4 + bytes.readUInt16BE(4))
  expect(readExif(exif).Photo?.DateTimeOriginal?.toISOString()).toBe('2026-07-31T18:05:09.000Z')
})

test('a picture without a date stays without one', async () => {
  for (const text of ['', 'no date', '2026:07:31 18:05:09 in words', '    :  :     :  :  \0'])
    expect(dateIn(bytesOf(text))).toBeNull()
  const jpeg = new Blob([Uint8Array.of(0xff, 0xd8)])
  expect(await withDate(jpeg, new Blob(['none']))).toBe(jpeg)
  expect(dateSegment(DATE)).toHaveLength(2 + 2 + 6 + 64)
})
