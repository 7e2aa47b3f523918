import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerpt } from './excerpt.ts'

test.each([
  ['# The first loaf\n\nIt **rose**.', 'It rose.'],
  ['# The first loaf', 'The first loaf'],
  ['- [x] feed the _starter_\n- [ ] weigh it', 'feed the starter weigh it'],
  ['> 1. said the baker', 'said the baker'],
  ['see [the recipe](/r "Rye") and ![the oven](o.jpg)', 'see the recipe and the oven'],
  ['| flour | g |\n|-------|--:|\n| rye | 500 |', 'flour g rye 500'],
  ['before\n\n| flour | g |\n|---|--:|\n| rye | 500 |\n\nafter', 'before after'],
  ['```ts\nconst rye = 1\n```\nafter `code`', 'after code'],
  ['```ts\nconst rye = 1\n```', 'const rye = 1'],
  ['before\n\n~~~\nnever closed', 'before'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['~~no~~ \\*yes\\*', 'no *yes*'],
  ['it rose[^1] twice[^why].\n\n[^1]: In the cellar.', 'it rose twice.'],
  ['above\n\n---\n\nbelow\n\n[1]: https://example.com', 'above below'],
])('%j reads %j', (content, plain) => {
  expect(excerpt(content)).toBe(plain)
})

test('a long text ends with a whole word and an ellipsis', () => {
  const text = excerpt('bread '.repeat(200))
  expect(text).toMatch(/^(?:bread )+bread…$/)
  expect(text.length).toBeLessThan(300)
})

test('any text, however large or odd, has a short excerpt soon', () => {
  for (const piece of ['```\n', '-', '# ', '[', '![', '**', '_a', '`', '> ', '|', '\\', ' ']) {
    const started = performance.now()
    expect(excerpt(piece.repeat(100_000)).length).toBeLessThanOrEqual(281)
    expect(performance.now() - started).toBeLessThan(500)
  }
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => [...excerpt(text)].length <= 281))
})
