import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { cardVariant } from './present.ts'
import { allFileKeys, keysOfFile, WIDTHS, widthVariants } from './storage-keys.ts'

const id = fc.uuid()
const widest = fc.integer({ min: 1, max: 16_383 })
const type = fc.constantFrom('image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif')

/** The widths that the inspection writes, or those of a former image: a smaller side, which may be any. */
const widths = fc.oneof(
  widest.map((width) => [...WIDTHS.filter((one) => one < width), width]),
  fc
    .tuple(fc.integer({ min: 1, max: 800 }), widest)
    .filter(([small, width]) => small < width)
    .map((both) => [...both]),
)

it('a removal removes every key that a file has, of whatever attempt, and each width has its own', () => {
  const file = fc.record({
    id,
    attempt: fc.integer({ min: 0, max: 5 }),
    widths,
    type,
    animated: fc.boolean(),
  })
  fc.assert(
    fc.property(file, (file) => {
      const keys = keysOfFile(file)
      expect(new Set(keys).size).toBe(keys.length)
      expect(allFileKeys(file)).toEqual(expect.arrayContaining(keys))
      const variants = widthVariants(file.widths).map(({ variant }) => variant)
      expect(new Set(variants).size).toBe(variants.length)
      expect(variants).toContain(cardVariant(file.widths))
      // A picture from before migration 0060 has at most two files, and all others more than the key of one.
      expect(keys.every((key) => key.startsWith(file.attempt === 0 ? 'images/' : 'uploads/'))).toBe(true)
    }),
  )
})
