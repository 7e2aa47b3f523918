import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { withAbsoluteLinks } from './feed-text.ts'

const BASE = 'https://milepost.example/world/p/entries/e'
const rendered = (markdown: string) => withAbsoluteLinks(renderMarkdown(markdown).html, BASE)

test.each([
  ['[there](/world/q?a=1&b=2)', 'href="https://milepost.example/world/q?a=1&amp;b=2"'],
  ['[here](#part)', 'href="https://milepost.example/world/p/entries/e#part"'],
  ['# Here', `href="${BASE}#section-here"`],
  ['![a crust](/api/media/x/full)', 'src="https://milepost.example/api/media/x/full"'],
  ['[beside](other)', 'href="https://milepost.example/world/p/entries/other"'],
  ['[above](../p#part)', 'href="https://milepost.example/world/p/entries/../p#part"'],
  ['[same page](?page=2)', 'href="https://milepost.example/world/p/entries/e?page=2"'],
  ['[same protocol](//example.org/a)', 'href="https://example.org/a"'],
  ['[elsewhere](https://example.org/a)', 'href="https://example.org/a"'],
  ['[mail](mailto:ada@example.org)', 'href="mailto:ada@example.org"'],
  ["[it's](/it's)", 'href="https://milepost.example/it'],
])('%s has the same target from every page', (markdown, expected) => {
  expect(rendered(markdown)).toContain(expected)
})

test('removed links stay removed', () => {
  expect(rendered('[x](javascript:alert(1))')).not.toContain('href')
})

test('text that looks like an attribute is left alone', () => {
  expect(rendered('Write ` href="/x"` so')).toContain('&quot;/x&quot;')
})

test('footnotes link to the notes of the same entry', () => {
  expect(rendered('It rose.[^1]\n\n[^1]: Slowly.')).toContain(`href="${BASE}#footnote-1"`)
})
