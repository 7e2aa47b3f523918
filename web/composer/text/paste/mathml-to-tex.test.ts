import { expect, test } from 'vitest'
import { texOf } from './mathml-to-tex.ts'

/** Rows within each other, as pages have them, with a name in the innermost. */
function rows(depth: number): Element {
  const children = depth === 0 ? [] : [rows(depth - 1)]
  return { localName: depth === 0 ? 'mi' : 'mrow', textContent: 'x', children } as unknown as Element
}

test('each part of a formula is read once, however deep it is', () => {
  // Twice at each level would be 2 ** 60 times.
  expect(texOf(rows(60))).toBe('x')
})
