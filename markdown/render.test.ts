import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PLAIN_NOTICE, renderPlainText } from './plain-text.ts'
import { renderMarkdown as render } from './render.ts'

const renderMarkdown = (content: string) => render(content).html

test.each([
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](  javascript:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](vbscript:msgbox(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '<javascript:alert(1)>',
  '[a]\n\n[a]: javascript:alert(1)',
])('%s does not become a link to a script or data URL', (content) => {
  expect(renderMarkdown(content)).not.toMatch(/(?:href|src)="[^"]*(?:javascript|vbscript|data):/i)
})

test.each([
  '<script>alert(1)</script>',
  '<img onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="https://example.com"></iframe>',
  'a <b onclick="alert(1)">b</b>',
  '`</code><script>alert(1)</script>`',
  '```"><script>\nalert(1)\n```',
])('%s is shown as text', (content) => {
  expect(renderMarkdown(content)).not.toMatch(/<(?:script|img|svg|iframe|b)[\s>]/)
})

test('an image with a forbidden scheme is replaced by its description', () => {
  expect(renderMarkdown('![the oven](data:image/svg+xml,<svg/>)')).toBe(
    '<div class="prose"><p>the oven</p></div>',
  )
})

test('of a picture that is written as HTML only its address and its description are read', () => {
  expect(renderMarkdown('<img src=x alt="a" onerror=alert(1) style="x">')).toBe(renderMarkdown('![a](x)'))
})

test.each(['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'])('links keep the scheme %s', (scheme) => {
  expect(renderMarkdown(`[a](${scheme}:b)`)).toContain(`href="${scheme}:b"`)
})

test.each([
  ['www.example.org/a', 'http://www.example.org/a'],
  ['example.com', 'https://example.com'],
  ['docs.example.org/guide?a=1#b', 'https://docs.example.org/guide?a=1#b'],
  ['example.de:8080', 'https://example.de:8080'],
  ['ada@example.org', 'mailto:ada@example.org'],
  ['notes.md', 'notes.md'],
  ['src/main.rs', 'src/main.rs'],
  ['com', 'com'],
  ['example.comet', 'example.comet'],
])('the target %s leads to %s', (target, href) => {
  expect(renderMarkdown(`[x](${target})`)).toContain(`href="${href}"`)
})

test.each(['@ada@example.social', 'See @ada@example.social, who sails'])(
  '%s names an account elsewhere, not an email address',
  (content) => {
    expect(renderMarkdown(content)).not.toContain('<a')
  },
)

test('a link without words shows its target, and one without a target is words', () => {
  expect(renderMarkdown('[](https://example.org/a)')).toContain('>https://example.org/a</a>')
  expect(renderMarkdown('[a]()')).toContain('<a>a</a>')
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
])('%s says all of its URL: %s', (markdown, bare) => {
  expect(renderMarkdown(markdown).includes('data-bare')).toBe(bare)
})

test('headings begin below the page title, skip no level and keep their size', () => {
  const html = renderMarkdown('### Dough\n\n##### Crumb\n\n# Oven\n\n## Heat')
  expect(html.match(/(?<=class="heading" )[^>]+><h.+?>/g)).toEqual([
    'data-depth="3"><h2 id="section-dough">',
    'data-depth="5"><h3 id="section-crumb">',
    'data-depth="1"><h2 id="section-oven">',
    'data-depth="2"><h3 id="section-heat">',
  ])
})

test('the name of a heading is its text alone', () => {
  expect(renderMarkdown('# Dough')).toContain('<h2 id="section-dough">Dough</h2><a class="heading-anchor"')
})

test.each(['a\nb', 'a  \nb', 'a\\\nb'])('the line break in %j is kept', (content) => {
  expect(renderMarkdown(content)).toBe('<div class="prose"><p>a<br>\nb</p></div>')
})

test('tasks are disabled checkboxes labeled by their text', () => {
  const html = renderMarkdown('- [x] feed the *starter*\n  - [ ] weigh it')
  expect(html).toContain(
    '<input type="checkbox" disabled="" aria-label="feed the starter" data-task="3" checked="">',
  )
  expect(html).toContain('<input type="checkbox" disabled="" aria-label="weigh it" data-task="30">')
})

test('tables scroll in a labeled region that is keyboard-accessible', () => {
  const html = renderMarkdown('| a | b |\n| - | -: |\n| 1 | ~~2~~ |')
  expect(html).toContain('<div class="prose-scroll" role="group" aria-label="Table" tabindex="0"><table>\n')
  expect(html).toContain('<td data-align="right"><del>2</del></td>')
})

test('a link with a refused target keeps its text and has no href', () => {
  expect(renderMarkdown('[a](javascript:b "c")')).toBe('<div class="prose"><p><a title="c">a</a></p></div>')
})

test('headings are listed with the unique ids of their elements', () => {
  const { headings, html } = render('# Über *uns*\n\n## a\n\n## A\n\n### a-1\n\n# !\n\n# ')
  expect(headings).toEqual([
    { id: 'section-über-uns', level: 1, text: 'Über uns' },
    { id: 'section-a', level: 2, text: 'a' },
    { id: 'section-a-1', level: 2, text: 'A' },
    { id: 'section-a-1-1', level: 3, text: 'a-1' },
    { id: 'section-', level: 1, text: '!' },
    { id: 'section--1', level: 1, text: '' },
  ])
  for (const { id } of headings) expect(html).toContain(`id="${id}"`)
})

test('footnotes and their references link to each other', () => {
  const html = renderMarkdown('It rose[^why] and rose[^why].\n\n[^why]: In the cellar.')
  const [ids, targets] = [/ id="([^"]+)"/g, / href="#([^"]+)"/g].map((pattern) =>
    Array.from(html.matchAll(pattern), ([, name = '']) => name).toSorted(),
  )
  expect(ids).toEqual(['footnote-1', 'footnote-ref-1', 'footnote-ref-1-2'])
  expect(new Set(targets)).toEqual(new Set(ids))
  expect(html).toContain('<section class="footnotes" aria-label="Footnotes">')
})

test('without a style sheet, as in a feed reader, the text of special elements is readable', () => {
  const html = renderMarkdown(
    '# Bread\n\n> [!TIP]\n> Wait.\n\nBy $x$.\n\n```js\nlet a\n```\n\nhttps://youtu.be/dQw4w9WgXcQ',
  )
  expect(html.replace(/<[^>]*>/g, '').split(/\n+/)).toEqual([
    'Bread',
    'Tip',
    'Wait.',
    'By x.',
    'let a',
    'Video on YouTube',
  ])
})

test('inline footnotes are not supported, as on GitHub', () => {
  expect(renderMarkdown('It rose^[In the cellar].')).toContain('<p>It rose^[In the cellar].</p>')
})

test.each([
  ['', 0],
  ['It **rose**, twice.', 3],
  ["don't 3.5 snake_case", 3],
  ['面包很好吃', 3],
  ['# Title\n\n- [ ] a\n\n| b |\n|-|\n| c |\n\n```\nnot code\n```', 4],
])('%j has this number of words: %i', (content, words) => {
  expect(render(content).wordCount).toBe(words)
})

test.each([
  ['a table of too many cells', `${'|a'.repeat(150)}|\n${'|-'.repeat(150)}|\n${'|b\n'.repeat(200)}`],
  ['too many footnotes', Array.from({ length: 1_001 }, (_, n) => `[^${n}]\n\n[^${n}]: a\n\n`).join('')],
  ['quotes nested deeper than the parser goes', `${'>'.repeat(120)}bread`],
  ['HTML that would be too long', '# a\n'.repeat(50_000)],
])('%s makes a text plain: complete, with a line that explains why', (_what, content) => {
  const { html, renderedAs } = render(content)
  expect(renderedAs).toBe('plain')
  expect(html).toContain(PLAIN_NOTICE)
  expect(html).toContain(content.slice(0, 100).replaceAll('>', '&gt;'))
})

test('plain text is escaped', () => {
  expect(renderPlainText('<script>"&').html).toContain(
    '<p class="prose prose-plain">&lt;script&gt;&quot;&amp;</p>',
  )
})

/** Texts that consist of characters that are special in HTML or Markdown. */
const pieces =
  '--- title: （説明） 「a」 #part ../#part <script> </a> <img src=x onerror=alert(1)> style="x" onclick=" javascript: data:text/html, vbscript: https://a.b www.a.b mailto: [a]( ![a]( <a: ] [x]: ) ( " \' ` ~~~ | - # > * _ & &colon; &#106; \\ [^1] [^1]: \n \n\n $ $$ $a $\\frac{a}{b}$ \\color{red} \\href{javascript:a}{b} \\rule{9em}{9em} > [!NOTE] ```js <b> https://youtu.be/dQw4w9WgXcQ'
const hostile = fc.array(
  fc.oneof(fc.constantFrom(...pieces.split(' '), ' ', '\n', '\n\n'), fc.string({ maxLength: 3 })),
  {
    maxLength: 40,
  },
)

test('no text produces elements or attributes other than ours, or a URL with another scheme', () => {
  const attribute =
    /^(?:alt|alttext|aria-label|checked|class|data-align|data-bare|data-callout|data-depth|data-id|data-task|data-video|decoding|disabled|display|displaystyle|fence|height|href|id|linethickness|loading|lspace|mathvariant|maxsize|minsize|open|referrerpolicy|rel|role|rspace|scriptlevel|separator|src|start|stretchy|tabindex|title|type|width)$/
  const element =
    /^(?:a|blockquote|br|code|del|details|div|em|h[2-6]|hr|img|input|li|m[a-z]+|ol|p|pre|section|span|strong|summary|sup|table|tbody|td|th|thead|tr|ul)$/
  fc.assert(
    fc.property(hostile, (parts) => {
      const html = renderMarkdown(parts.join(''))
      const addresses: string[] = []
      expect(html.replace(/<\/?[a-z]\w*(?: [a-z-]+="[^"<>]*")*>/g, '')).not.toMatch(/[<>]/)
      for (const [, name = '', written = ''] of html.matchAll(/<([^\s/>]+)([^>]*)>/g)) {
        expect(name).toMatch(element)
        for (const [, key = '', value = ''] of written.matchAll(/ ([^\s=]+)="([^"]*)"/g)) {
          expect(key).toMatch(attribute)
          if (key === 'href' || key === 'src') addresses.push(value)
        }
      }
      const other = addresses.filter(
        (address) => !/^(?:(?:https?|ircs?|mailto|xmpp):|[^:]*(?:$|[/?#]))/i.test(address),
      )
      expect(other).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('a long text that is not hostile is formatted', () => {
  const day = `## A day

We *baked* the **first** loaf, see [the recipe](/r). ${'It rose slowly, as it does in winter. '.repeat(20)}

- [x] \`flour\`
- water, "soft" and cold

| a | b |
| - | - |
| 1 | 2 |

`
  expect(renderMarkdown(day.repeat(200))).toContain('<h2 id="section-a-day">A day</h2>')
})

test('HTML beyond 64 kB that is more than eight times as long as its source is not stored: the text is plain', () => {
  const dense = '[^1]'.repeat(2_000) // each reference becomes a link of some 80 characters
  const { renderedAs, html } = render(`${dense}\n\n[^1]: a`)
  expect(renderedAs).toBe('plain')
  expect(html.length).toBeLessThan(8 * dense.length)
  expect(render(`${dense.slice(0, 400)}\n\n[^1]: a`).renderedAs).toBe('markdown')
  expect(render('"&<'.repeat(60_000)).html.length).toBeLessThan(8 * 180_000)
  expect(render(`| a | b |\n|---|---|\n${'| 12 | cedar |\n'.repeat(5_000)}`).renderedAs).toBe('markdown')
})
