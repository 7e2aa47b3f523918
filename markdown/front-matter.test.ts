import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const shown = (content: string) =>
  renderMarkdown(content)
    .html.replace(/<(?!\/?(?:pre|h[r2]))[^>]*>|(?<=<(?:pre|h2)) [^>]*/g, '')
    .trim()

test.each([
  ['---\ntitle: x\n---', '<pre>title: x\n</pre>'],
  [
    '---\ntitle: x\ntags:\n  - bread\n- rye\n# no\n\ndate: 2026-11-27\n---\nBread',
    '<pre>title: x\ntags:\n  - bread\n- rye\n# no\n\ndate: 2026-11-27\n</pre>\nBread',
  ],
  ['---\r\ntitle: x\r\n---\r\nBread', '<pre>title: x\n</pre>\nBread'],
  ['---  \ntitle: x\n...\n', '<pre>title: x\n</pre>'],
  ['---\nオーブン: 熱い\n---', '<pre>オーブン: 熱い\n</pre>'],
  ['+++\ntitle = "x"\n[extra]\n+++\nBread', '<pre>title = &quot;x&quot;\n[extra]\n</pre>\nBread'],
])('the front matter of %j is shown as code', (content, expected) => {
  expect(shown(content)).toBe(expected)
})

test.each([
  ['---\nBread\n---', '<hr>\n<h2>Bread</h2>'],
  ['---\n\ntitle: x\n---', '<hr>\n<h2>title: x</h2>'],
  ['---\ntitle: x\n\nBread', '<hr>\ntitle: x\nBread'],
  ['---\ntitle: x\nWe baked.\n---', '<hr>\n<h2>title: x\nWe baked.</h2>'],
  ['Bread\n\n---\ntitle: x\n---', 'Bread\n<hr>\n<h2>title: x</h2>'],
  ['---', '<hr>'],
])('%j has none', (content, expected) => {
  expect(shown(content)).toBe(expected)
})

test('front matter counts neither as words nor for the excerpt', () => {
  expect(renderMarkdown('---\ntitle: x\n---\n\nIt rose.')).toMatchObject({
    excerpt: 'It rose.',
    wordCount: 2,
  })
})
