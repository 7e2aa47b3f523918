import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderPlainText } from './plain-text.ts'
import { renderMarkdown } from './render.ts'
import { excerptOfSource } from './source-excerpt.ts'
import { shorten } from './words.ts'

test.each([
  ['# The first loaf\n\nIt **rose**.', 'It rose.'],
  ['# The first loaf', 'The first loaf'],
  ['- [x] feed the _starter_\n- [ ] weigh it', 'feed the starter · weigh it'],
  [
    'To do:\n\n1. feed\n   - rye\n   - wheat\n2. weigh\n\nThen rest.',
    'To do: feed · rye · wheat · weigh Then rest.',
  ],
  ['- \n- \n\nafter', 'after'],
  ['> 1. said the baker', 'said the baker'],
  ['see [the recipe](/r "Rye") and ![the oven](o.jpg)', 'see the recipe and'],
  ['![IMG_1.jpg](/files/a)\n![](/files/b "By night")\n\nIt rose.', 'It rose.'],
  ['![IMG_1.jpg](/files/a)\n![](/files/b)', '2 pictures'],
  ['# ![](/files/a)', '1 picture'],
  ['![](/files/a)\n\n[plan.pdf](/files/b)', '1 picture, 1 file'],
  ['read [plan.pdf](/files/b) first', 'read first'],
  ['- ![](a.jpg)\n- rye', 'rye'],
  ['\u200B![](/files/a)\u200B', '1 picture'],
  ['| flour | g |\n|-------|--:|\n| rye | 500 |', 'flour g rye 500'],
  ['before\n\n| flour | g |\n|---|--:|\n| rye | 500 |\n\nafter', 'before after'],
  ['```ts\nconst rye = 1\n```\nafter `code`', 'after code'],
  ['```ts\nconst rye = 1\n```', 'const rye = 1'],
  ['before\n\n~~~\nnever closed', 'before'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['~~no~~ \\*yes\\*', 'no *yes*'],
  ['it rose[^1] twice[^1].\n\n[^1]: In the cellar.', 'it rose twice.'],
  ['above\n\n---\n\nbelow\n\n[1]: https://example.com', 'above below'],
  ['1 < 2 &amp; 3', '1 < 2 & 3'],
])('%j begins %j', (content, plain) => {
  expect(renderMarkdown(content).excerpt).toBe(plain)
})

test.each([
  ['## It rose\n\n![IMG_1.jpg](/files/a "x")', 'It rose'],
  ['![IMG_1.jpg](/files/a)\n![](/files/b)', '2 pictures'],
  ['[plan \\[1\\].pdf](/files/b)', '1 file'],
  ['It rose ![](/files/0199-cut', 'It rose'],
  ["![IMG 1](<my loaf.jpg> 'Cap') and ![x](https://example.org/a_(1).jpg) rose", 'and rose'],
  ['![IMG][1] rose\n\n[1]: /files/a', 'rose'],
  ['<img src="/files/a" alt="IMG_2.jpg">\n\n---\n\n![](/files/b)', '2 pictures'],
  ['[![build](https://example.org/b.svg)](https://example.org)\n\n<!-- soon -->It rose', 'It rose'],
  ['\u200B![](/files/a)', '1 picture'],
  ['- [x] feed\n- [ ] weigh', 'feed weigh'],
  ['> [!NOTE]\n> Hot', 'Hot'],
  ['```ts\nconst rye = 1\n```', 'const rye = 1'],
  ['a [link](https://example.org) stays [open', 'a [link](https://example.org) stays [open'],
  ['', ''],
])('the source %j begins %j', (source, plain) => {
  expect(excerptOfSource(source)).toBe(plain)
})

test('a text is never cut inside a character as people see it', () => {
  const family = '👨\u200D👩\u200D👧'
  expect(shorten(family.repeat(3), 8)).toBe(`${family}…`)
  expect(shorten('e\u0301'.repeat(10), 6)).toBe(`${'e\u0301'.repeat(2)}…`)
  fc.assert(
    fc.property(fc.array(fc.constantFrom(family, '🇩🇪', 'e\u0301', 'x', ' '), { maxLength: 60 }), (parts) => {
      const short = shorten(parts.join(''), 20).replace(/…$/, '')
      const segments = [...new Intl.Segmenter('en').segment(short)].map(({ segment }) => segment)
      expect(segments.every((one) => [family, '🇩🇪', 'e\u0301', 'x', ' '].includes(one))).toBe(true)
    }),
  )
})

test('a long text ends with a whole word and an ellipsis', () => {
  expect(renderMarkdown('bread '.repeat(200)).excerpt).toMatch(/^(?:bread ){45}bread…$/)
})

test.each([
  ['今日は パンを焼いた。とてもおいしかった。', '今日は パンを焼いた。とて…'],
  ['ปัง ฉันทำเก้าอี้ไม้ไผ่ด้วยมือ', 'ปัง ฉันทำเก้า…'],
  ['나무로 만든 의자와 책상입니다', '나무로 만든 의자와…'],
  [`see https://example.org/${'a'.repeat(300)}`, `see https://example.org/${'a'.repeat(255)}…`],
])('what has no spaces behind an early one is not cut there: %s', (text, short) => {
  expect(shorten(text, text.length > 280 ? 280 : 14)).toBe(short)
})

test('any text has a short excerpt, formatted or plain', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      for (const { excerpt } of [renderMarkdown(text), renderPlainText(text)])
        expect([...excerpt].length).toBeLessThanOrEqual(280)
    }),
  )
})

test('a line is shortened to any length, and a shorter one is unchanged', () => {
  expect(shorten('  It\n rose. ', 8)).toBe('It rose.')
  expect(shorten('It rose.', 7)).toBe('It…')
  expect(shorten('Sourdough', 5)).toBe('Sour…')
  expect(shorten(`a${' '.repeat(100_000)}b`, 5)).toBe('a…')
})
