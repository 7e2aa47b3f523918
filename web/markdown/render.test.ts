import { expect, test } from 'vitest'
import { renderMarkdown } from './render.server.tsx'

const CONTENT_MAX = 200_000
const fill = (piece: string) => piece.repeat(Math.ceil(CONTENT_MAX / piece.length)).slice(0, CONTENT_MAX)

test.each([
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](  javascript:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](vbscript:msgbox(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '<javascript:alert(1)>',
  '[a]\n\n[a]: javascript:alert(1)',
])('%s leads nowhere', (content) => {
  expect(renderMarkdown(content)).not.toMatch(/(?:href|src)="[^"]*(?:javascript|vbscript|data):/i)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="https://example.com"></iframe>',
  'a <b onclick="alert(1)">b</b>',
  '`</code><script>alert(1)</script>`',
  '```"><script>\nalert(1)\n```',
])('%s shows as text', (content) => {
  expect(renderMarkdown(content)).not.toMatch(/<(?:script|img|svg|iframe|b)[\s>]/)
})

test('an image of a forbidden scheme leaves its description', () => {
  expect(renderMarkdown('![the oven](data:image/svg+xml,<svg/>)')).toBe(
    '<div class="prose"><p>the oven</p></div>',
  )
})

test.each(['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'])('links keep the scheme %s', (scheme) => {
  expect(renderMarkdown(`[a](${scheme}:b)`)).toContain(`href="${scheme}:b"`)
})

test.each(['/world/1', 'b', '?edit=1', '#crust', '../c'])('the relative link %s is kept', (href) => {
  expect(renderMarkdown(`[a](${href})`)).toContain(`<a href="${href}">a</a>`)
})

test.each(['https://example.com', '//example.com'])('%s is marked as written by a user', (href) => {
  expect(renderMarkdown(`[a](${href})`)).toContain(`rel="nofollow ugc noopener"`)
})

test.each([
  ['https://example.com', true],
  ['www.example.com', true],
  ['[https://example.com](https://example.com/a)', false],
  ['[example.com](https://example.com)', false],
])('%s says all of its address: %s', (markdown, bare) => {
  expect(renderMarkdown(markdown).includes('data-bare')).toBe(bare)
})

test('headings begin below the page title, skip no level and keep their size', () => {
  const html = renderMarkdown('### Dough\n\n##### Crumb\n\n# Oven\n\n## Heat')
  expect(html.match(/<h.+?>/g)).toEqual([
    '<h2 data-depth="3">',
    '<h3 data-depth="5">',
    '<h2 data-depth="1">',
    '<h3 data-depth="2">',
  ])
})

test('tasks are disabled checkboxes named by their words', () => {
  const html = renderMarkdown('- [x] feed the *starter*\n  - [ ] weigh it')
  expect(html).toContain('<input type="checkbox" disabled="" aria-label="feed the starter" checked=""/>')
  expect(html).toContain('<input type="checkbox" disabled="" aria-label="weigh it"/>')
})

test('tables scroll in a labelled box that the keyboard reaches', () => {
  const html = renderMarkdown('| a | b |\n| - | -: |\n| 1 | ~~2~~ |')
  expect(html).toContain('<div class="prose-scroll" role="group" aria-label="Table" tabindex="0"><table>')
  expect(html).toContain('<td data-align="right"><del>2</del></td>')
})

test.each([
  '>',
  '> ',
  '- ',
  '1. ',
  '**a_',
  '_a*b ',
  '~a~~b',
  '[^1]',
  '[a](',
  'a<?',
  '&a;',
  'a\n=\n',
  '- a\n',
  '|\n',
])('a text full of %j is answered soon and whole', (piece) => {
  const started = performance.now()
  expect(renderMarkdown(`www.a.b${fill(piece)}`)).toContain('a')
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('long honest writing is formatted', () => {
  const day = `## A day

We *baked* the **first** loaf, see [the recipe](/r). ${'It rose slowly, as it does in winter. '.repeat(20)}

- [x] \`flour\`
- water, "soft" and cold

| a | b |
| - | - |
| 1 | 2 |

`
  expect(renderMarkdown(fill(day))).toContain('<h2 data-depth="2">A day</h2>')
})
