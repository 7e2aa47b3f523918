import { expect, test } from 'vitest'
import { prose } from './text.ts'

test('a text begins after the mark of its encoding, so that a heading or front matter is recognized', () => {
  const content = prose('Content', 20)
  expect(content.parse('\uFEFF# Bread\n\uFEFFrye ')).toBe('# Bread\n\uFEFFrye ')
  expect(content.safeParse('\uFEFF').success).toBe(false)
})
