import { expect, test } from 'vitest'
import { shownSize, shownSizes } from './picture-size.ts'

test.each([
  ['a photograph', 4_000, 2_000, 1_536, 768],
  ['a low one', 1_600, 700, 1_600, 700],
  ['a small one', 300, 200, 300, 200],
  ['a tall one', 300, 1_536, 150, 768],
  ['a line', 1, 4_000, 1, 768],
])('%s is shown at its own size or smaller', (_name, width, height, shownWidth, shownHeight) => {
  expect(shownSize({ width, height })).toEqual({ width: shownWidth, height: shownHeight })
})

test('a picture is never enlarged to the width of the column', () => {
  expect(shownSizes({ width: 300, height: 200 })).toBe('(max-width: 300px) 100vw, 300px')
  expect(shownSizes({ width: 900, height: 1_800 })).toBe('(max-width: 384px) 100vw, 384px')
  expect(shownSizes({ width: 672, height: 400 })).toBe('(min-width: 44rem) 42rem, 100vw')
})
