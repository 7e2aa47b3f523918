import { expect, test } from 'vitest'
import { prose, title } from './text.ts'

test('a text begins after the mark of its encoding, so that a heading or front matter is recognized', () => {
  const content = prose('Content', 20)
  expect(content.parse('\uFEFF# Bread\n\uFEFFrye ')).toBe('# Bread\n\uFEFFrye ')
  expect(content.safeParse('\uFEFF').success).toBe(false)
})

test('a title is one line, whatever a program sends', () => {
  expect(title.parse(' Rye\r\nbread\u2028and\n\nbutter\n')).toBe('Rye bread and butter')
  expect(title.safeParse('\n').success).toBe(false)
})
