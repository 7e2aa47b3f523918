import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const plain = (content: string) => renderMarkdown(content).html

test('a no-break space behind the mark of a heading or an item is a space', () => {
  expect(plain('##\u00A0Rye\n\n-\u00A0a\n  +\u00A0b\n\n> -\u00A0c')).toBe(
    plain('## Rye\n\n- a\n  + b\n\n> - c'),
  )
})

test('characters without width before the mark of a block are no text', () => {
  expect(plain('\u200B## Rye\n\n\uFEFF- a\n\u200B1. b\n\n\u2060\u200B> c')).toBe(
    plain('## Rye\n\n- a\n 1. b\n\n> c'),
  )
  expect(plain('a\u200Bb\n\u200Bc')).toContain('a\u200Bb<br>\n\u200Bc')
})

test('elsewhere it stays', () => {
  expect(plain('1.\u00A0May, 20\u00A0km and #\u00A03')).toContain('1.\u00A0May, 20\u00A0km and #\u00A03')
})
