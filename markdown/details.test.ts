import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const inner = (text: string) =>
  renderMarkdown(text)
    .html.replace(/^<div class="prose">/, '')
    .replace(/<\/div>$/, '')

test.each([
  [
    '<details>\n<summary>Parts **list**</summary>\n\n- a\n\n</details>\nafter',
    '<details>\n<summary>Parts <strong>list</strong></summary>\n<ul>\n<li>a</li>\n</ul>\n</details>\n<p>after</p>',
  ],
  [
    'before\n<details open><summary>S</summary>\ntext\n</details>',
    '<p>before</p>\n<details open="">\n<summary>S</summary>\n<p>text</p>\n</details>',
  ],
  ['<details>\ntext\n</details>', '<details>\n<summary>Details</summary>\n<p>text</p>\n</details>'],
  [
    '<details>\n<summary>A</summary>\n<details>\n<summary>B</summary>\nb\n</details>\na\n</details>',
    '<details>\n<summary>A</summary>\n<details>\n<summary>B</summary>\n<p>b</p>\n</details>\n<p>a</p>\n</details>',
  ],
  [
    '- a\n\n  <details>\n  <summary>A</summary>\n  b\n  </details>\n- c',
    '<ul>\n<li>\n<p>a</p>\n<details>\n<summary>A</summary>\n<p>b</p>\n</details>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>',
  ],
  [
    '> <details>\n> <summary>A</summary>\n> a\n> </details>',
    '<blockquote>\n<details>\n<summary>A</summary>\n<p>a</p>\n</details>\n</blockquote>',
  ],
  [
    '<details>\n<summary>A</summary>\n\n```html\n</details>\n```\n</details>',
    '<details>\n<summary>A</summary>\n<pre role="group" aria-label="Code" tabindex="0"><code class="language-html"><span class="code-tag">&lt;/<span class="code-name">details</span>&gt;</span>\n</code></pre>\n</details>',
  ],
])('%j is folded', (text, html) => {
  expect(inner(text)).toBe(html)
})

test.each([
  '<details>\ntext',
  'text\n\n</details>',
  '<details onclick="a">\ntext\n</details>',
  'A <details> in a line\n</details>',
  '    <details>\n    </details>',
  '- <details>\n  a\n- b\n  </details>',
  '> <details>\n\n</details>',
])('%j stays text', (text) => {
  expect(inner(text)).toContain('details')
  expect(inner(text)).not.toContain('<details')
})

test('words in it count, and a task in it is found at its place', () => {
  const text = '<details>\n<summary>Parts list</summary>\n\n- [ ] wood\n</details>'
  expect(renderMarkdown(text)).toMatchObject({ wordCount: 3 })
  expect(inner(text)).toContain(`data-task="${text.indexOf('[ ]') + 1}"`)
})
