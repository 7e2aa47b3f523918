import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const inner = (source: string) => /^<div class="prose">([^]*)<\/div>$/.exec(renderMarkdown(source).html)?.[1]

test.each([
  ['Oak<br>Ash<br/>Elm<BR />Yew', '<p>Oak<br>\nAsh<br>\nElm<br>\nYew</p>'],
  ['<kbd>Ctrl</kbd>+<KBD>C</KBD>', '<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>'],
  ['H<sub>2</sub>O, 3 m<sup>2</sup>', '<p>H<sub>2</sub>O, 3 m<sup>2</sup></p>'],
  ['<u>**a**</u> and **<u>a</u>**', '<p><u><strong>a</strong></u> and <strong><u>a</u></strong></p>'],
  ['`<br>` and \\<br>', '<p><code>&lt;br&gt;</code> and &lt;br&gt;</p>'],
])('%j becomes %s', (source, html) => {
  expect(inner(source)).toBe(html)
})

test('a cell of a table has several lines', () => {
  expect(inner('| a |\n| - |\n| Oak<br>Ash |')).toContain('<td>Oak<br>\nAsh</td>')
})

test.each([
  'a <b and c> d',
  'List<b> of things',
  'x</b>',
  '<u class="x">a',
  '<u onclick=x>a',
  '<script>a',
  '<a href=x>',
])('%j is text', (source) => {
  expect(inner(source)).toBe(
    `<p>${source.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</p>`,
  )
})

test.each([
  ['<u>**a</u>**', '<p>&lt;u&gt;<strong>a&lt;/u&gt;</strong></p>'],
  ['**<u>a**</u>', '<p><strong>&lt;u&gt;a</strong>&lt;/u&gt;</p>'],
  ['<u>a <i>b</u></i>', '<p>&lt;u&gt;a <i>b&lt;/u&gt;</i></p>'],
])('tags that cross each other are text: %j', (source, html) => {
  expect(inner(source)).toBe(html)
})

test.each([
  ['Oak <!-- 12 boards -->and ash', '<p>Oak and ash</p>'],
  ['<!-- toc\n\nto be written -->\n\nOak', '<p>Oak</p>'],
  ['Oak\n<!--more-->\nAsh', '<p>Oak</p>\n<p>Ash</p>'],
  ['- Oak\n  <!-- ask\n  the mill -->\n- Ash', '<ul>\n<li>Oak</li>\n<li>Ash</li>\n</ul>'],
])('the comment of %j is not shown', (source, html) => {
  expect(inner(source)).toBe(html)
  expect(renderMarkdown(source).excerpt).toMatch(/^(?:Oak(?: (?:and ash|Ash|· Ash))?)$/)
})

test.each(['<!-- never ended', '> <!-- in a quote\n\noutside -->', '    <!-- code -->', '`<!-- code -->`'])(
  'nothing of %j is hidden',
  (source) => {
    const words = (text: string) => text.match(/[a-z]+/g)
    expect(words(renderMarkdown(source).excerpt)).toEqual(words(source))
  },
)

/** Returns the elements that are left open, or closed in another order, in HTML. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
    if (/^(?:br|hr|img|input)$/.test(name)) continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) return [tag]
  }
  return open
}

test('elements are always closed in the order in which they were opened', () => {
  const pieces = [
    '<b>',
    '</b>',
    '<U>',
    '</u>',
    '*',
    '**',
    '~~',
    '[',
    '](x)',
    '`',
    '<br>',
    '<!--',
    '-->',
    'a',
    ' ',
    '\n',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      expect(unbalanced(renderMarkdown(parts.join('')).html)).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})
