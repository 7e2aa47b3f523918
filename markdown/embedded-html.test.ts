import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const inner = (text: string) =>
  renderMarkdown(text)
    .html.replace(/^<div class="prose">/, '')
    .replace(/<\/div>$/, '')

const REST = 'loading="lazy" decoding="async" referrerpolicy="no-referrer">'

test.each([
  [
    '<img width="1200" alt="The hull" src="https://example.org/hull.png" />',
    'src="https://example.org/hull.png" alt="The hull"',
  ],
  ["<IMG src='/files/1' onerror='alert(1)'>", 'src="/files/1" alt=""'],
  [
    '<img src=https://example.org/a.png?a=1&amp;b=2 alt="1 &lt; 2">',
    'src="https://example.org/a.png?a=1&amp;b=2" alt="1 &lt; 2"',
  ],
])('%s is a picture', (text, attributes) => {
  expect(inner(text)).toBe(`<p><img ${attributes} ${REST}</p>`)
})

test('a picture is no part of an excerpt, and may stand in a sentence, a cell and a link', () => {
  expect(renderMarkdown('Boards <img src="a.png" alt="x"> cut').excerpt).toBe(
    renderMarkdown('Boards ![x](a.png) cut').excerpt,
  )
  for (const [html, markdown] of [
    ['| a |\n|---|\n| <img src="a.png" alt="x"> |', '| a |\n|---|\n| ![x](a.png) |'],
    ['[<img src="a.png" alt="x">](https://example.org)', '[![x](a.png)](https://example.org)'],
  ])
    expect(inner(html ?? '')).toBe(inner(markdown ?? ''))
})

test('the code that YouTube and Vimeo offer for embedding is the video', () => {
  for (const [src, link] of [
    [
      'https://www.youtube.com/embed/dQw4w9WgXcQ?si=x&amp;start=5',
      'https://www.youtube.com/embed/dQw4w9WgXcQ?si=x&start=5',
    ],
    ['//player.vimeo.com/video/76979871', 'https://player.vimeo.com/video/76979871'],
  ])
    expect(
      inner(`<iframe width="560" src="${src}" title="A player" frameborder="0" allowfullscreen></iframe>`),
    ).toBe(inner(link ?? ''))
})

test('any other frame is a link to what it would show', () => {
  expect(inner('<iframe src="https://maps.example/x"></iframe>')).toBe(inner('https://maps.example/x'))
})

test.each([
  [
    '<a href="https://a.example?b=1&amp;c=2" target=_blank onclick="x()">A *b*</a>',
    '[A *b*](https://a.example?b=1&c=2)',
  ],
  [
    '<a href="https://a.example"><img src="https://a.example/a.svg" alt="b"></a>',
    '[![b](https://a.example/a.svg)](https://a.example)',
  ],
  ['<a href="#parts">b</a>\n\n# Parts', '[b](#parts)\n\n# Parts'],
  ["<A HREF='javascript:alert(1)'>b</A>", '[b](javascript:alert(1))'],
  ['| a |\n|-|\n| <a href="/b">c</a> |', '| a |\n|-|\n| [c](/b) |'],
])('%s is the link %s', (html, markdown) => {
  expect(inner(html)).toBe(inner(markdown))
})

test.each([
  '<a name="top"></a>',
  '<a href="">b</a>',
  '<a href="/b">c',
  '<a href="/b">[c](/d)</a>',
  '<a href="/b"><mailto:c@d.example></a>',
  '[c <a href="/b">d</a>](/e)',
  '<a href="/b">c `</a>` d',
  '<a href="/b">c <!-- d</a> e -->',
])('of %s the tag stays text, so no link is within another', (text) => {
  expect(inner(text)).toContain('&lt;a ')
  expect(inner(text)).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /)
})

test.each([
  '<img>',
  '<img alt="x">',
  '<img src="">',
  '<image src="a.png">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="/files/1"></iframe>',
  '<iframe src="https://example.org">',
  '`<img src="a.png">`',
])('%s stays text', (text) => {
  expect(inner(text)).not.toMatch(/<(?:img|iframe)[ >]/)
})

test('a picture of a scheme that is not allowed is its description', () => {
  expect(inner('<img src="javascript:alert(1)" alt="x">')).toBe('<p>x</p>')
})
