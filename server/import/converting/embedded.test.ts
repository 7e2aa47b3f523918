import { expect, test } from 'vitest'
import { embeddedAt, takeEmbedded } from './embedded.ts'

const written = (byte: number) => `![](data:image/png;base64,${Buffer.alloc(300, byte).toString('base64')})\n`

test('the first 200 pictures that are written into a text are taken out of it, and those left are counted', () => {
  const text = Array.from({ length: 203 }, (_, index) => written(index)).join('')
  const taken = takeEmbedded(text)
  expect([taken.pictures.length, taken.left]).toEqual([200, 3])
  expect(taken.text.split('\n').slice(199, 201)).toEqual(['![](embedded-picture-200.png)', '![]()'])
  expect(embeddedAt(text, 199)).toEqual(Buffer.alloc(300, 199))
})
