import { expect, test } from 'vitest'
import { limitText, sizeText } from './sizes.ts'

test.each([
  [0, '0 MB'],
  [1, '1 kB'],
  [90_000, '90 kB'],
  [3_440_000, '3.4 MB'],
  [25_000_000, '25 MB'],
  [1_250_000_000, '1.3 GB'],
])('a size of %i bytes is shown as %s', (bytes, text) => {
  expect(sizeText(bytes, 'en')).toBe(text)
})

test.each([
  [20_000, '0.02 MB'],
  [25_000_000, '25 MB'],
  [1_250_000_000, '1.25 GB'],
  [1_000_000_001, '1.000000001 GB'],
])('a limit of %i bytes is shown as %s, without rounding it up', (bytes, text) => {
  expect(limitText(bytes)).toBe(text)
})
