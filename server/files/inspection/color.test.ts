import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inspectFile } from './inspect-task.ts'
import { variantFile } from './picture.ts'
import { PNG_HEADER, PNG_SIGNATURE, pngChunk } from './strip-picture.ts'

let file: string
beforeAll(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'milepost-color-')), 'upload')
})
afterAll(() => rm(path.dirname(file), { recursive: true }))

const plain = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c86432' } })

/** Returns the color in the widest variant of a picture, of three parts. */
async function shown(bytes: Uint8Array): Promise<number[]> {
  await writeFile(file, bytes)
  await inspectFile({ file, name: 'photo', pixelsMax: 1_000 })
  const widest = await readFile(variantFile(file, 'widest'))
  return [...(await sharp(widest).removeAlpha().raw().toBuffer()).subarray(0, 3)]
}

async function pngWith(...chunks: [type: string, ...words: number[]][]): Promise<Buffer> {
  const bytes = await plain().png().toBuffer()
  const at = PNG_SIGNATURE + PNG_HEADER
  const made = chunks.map(([type, ...words]) => {
    const data = Buffer.alloc(4 * words.length)
    for (const [index, word] of words.entries()) data.writeUInt32BE(word, 4 * index)
    return pngChunk(type, data)
  })
  return Buffer.concat([bytes.subarray(0, at), ...made, bytes.subarray(at)])
}

const P3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]

/** Measured in Chromium, which converts the same files. */
it.each<[what: string, chunks: [string, ...number[]][], color: [number, number, number]]>([
  ['without any', [], [200, 100, 50]],
  ['of linear light', [['gAMA', 100_000]], [229, 168, 122]],
  ['of an earlier Macintosh', [['gAMA', 55_556]], [210, 119, 65]],
  [
    'of a wide range',
    [
      ['gAMA', 45_455],
      ['cHRM', ...P3],
    ],
    [216, 93, 27],
  ],
  ['as a code', [['cICP', 0x0c0d0001]], [215, 93, 31]],
  [
    'that is not possible',
    [
      ['gAMA', 0],
      ['cHRM', 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [200, 100, 50],
  ],
  [
    'that no profile can hold',
    [['cHRM', 63_662, 36_338, 7_682, 92_318, 100, 25_645, 100, 6_681]],
    [200, 100, 50],
  ],
])('a PNG with a color %s is shown as in browsers', async (_what, chunks, color) => {
  const found = await shown(await pngWith(...chunks))
  for (const [index, part] of color.entries())
    expect(Math.abs((found[index] ?? 0) - part), `found ${found.join(', ')}`).toBeLessThan(6)
})

it('light of a high range is compressed, not cut off', async () => {
  const [red = 0, green = 0, blue = 0] = await shown(await pngWith(['cICP', 0x01100001]))
  expect([red > green, green > blue, green > 60]).toEqual([true, true, true])
})

it('deep colors with a profile are those of the picture', async () => {
  const deep = sharp(await plain().png().toBuffer())
    .toColourspace('rgb16')
    .withIccProfile('p3')
  const [red = 0, green = 0, blue = 0] = await shown(await deep.png().toBuffer())
  expect([Math.abs(red - 200) < 4, Math.abs(green - 100) < 4, Math.abs(blue - 50) < 4]).toEqual([
    true,
    true,
    true,
  ])
})
