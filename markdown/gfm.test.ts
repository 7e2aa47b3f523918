import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'
import { GFM_EXAMPLES as EXAMPLES } from './testing/gfm-examples.ts'
import { normalized, removeAdditions } from './testing/normalize.ts'

test.each(EXAMPLES)('example %i of GitHub’s extensions has its HTML', (_number, markdown, html) => {
  expect(removeAdditions(renderMarkdown(markdown).html)).toBe(normalized(html))
})

/** Every intended difference from GitHub. */
test.each([
  [
    'a resource after an XMPP address is no part of its link',
    'xmpp:a@b.c/txt',
    '<p><a href="xmpp:a@b.c">xmpp:a@b.c</a>/txt</p>',
  ],
  ['links to ftp would lead nowhere, so none is made', 'ftp://foo.bar.baz', '<p>ftp://foo.bar.baz</p>'],
  ['a name with a dot is no address', 'example.com and README.md', '<p>example.com and README.md</p>'],
])('%s', (_reason, markdown, html) => {
  expect(removeAdditions(renderMarkdown(markdown).html)).toBe(html)
})

test('underscores and stars within a URL are part of it', () => {
  const address = 'https://example.com/__tests__/a*b*c'
  expect(renderMarkdown(`see ${address}.`).html).toContain(`href="${address}"`)
})

test('the text of a link contains no other links', () => {
  const html = removeAdditions(renderMarkdown('[see www.a.example or b@c.example](/r)').html)
  expect(html).toBe('<p><a href="/r">see www.a.example or b@c.example</a></p>')
})
