import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const plain = (content: string) => renderMarkdown(content).html

test('a no-break space behind the mark of a heading or an item is a space', () => {
  expect(plain('##\u00A0Rye\n\n-\u00A0a\n  +\u00A0b\n\n> -\u00A0c')).toBe(
    plain('## Rye\n\n- a\n  + b\n\n> - c'),
  )
})

test('elsewhere it stays', () => {
  expect(plain('1.\u00A0May, 20\u00A0km and #\u00A03')).toContain('1.\u00A0May, 20\u00A0km and #\u00A03')
})
