import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { badgeText } from './notification-bell.tsx'

test.each([
  ['nothing unread has no badge', fc.integer({ max: 0 }), () => null],
  ['up to nine are counted', fc.integer({ min: 1, max: 9 }), String],
  ['more than nine are 9+', fc.integer({ min: 10 }), () => '9+'],
])('%s', (_rule, counts, text) => {
  fc.assert(
    fc.property(counts, (unread) => {
      expect(badgeText(unread)).toBe(text(unread))
    }),
  )
})
