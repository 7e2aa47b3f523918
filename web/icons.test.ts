import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const read = (name: string) => readFile(`public/${name}`)

test('favicon.ico has an image of each size that old browsers ask for', async () => {
  const icon = await read('favicon.ico')
  const [reserved, type, count] = [0, 2, 4].map((at) => icon.readUInt16LE(at))
  expect([reserved, type, count]).toEqual([0, 1, 3])
  const images = [0, 1, 2].map((index) => icon.subarray(6 + 16 * index, 22 + 16 * index))
  expect(images.map((image) => [image[0], image[1]])).toEqual([
    [16, 16],
    [32, 32],
    [48, 48],
  ])
  const last = images.at(-1)
  expect((last?.readUInt32LE(8) ?? 0) + (last?.readUInt32LE(12) ?? 0)).toBe(icon.length)
})

test.each(['apple-touch-icon.png', 'apple-touch-icon-precomposed.png'])(
  '%s has the size of a home screen',
  async (name) => {
    const image = await read(name)
    expect(image.subarray(1, 4).toString()).toBe('PNG')
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([180, 180])
  },
)
