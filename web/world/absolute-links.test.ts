import { expect, test } from 'vitest'
import { renderMarkdown } from '#web/markdown/render.server.tsx'
import { withAbsoluteLinks } from './absolute-links.ts'

const BASE = 'https://milepost.example/world/p/entries/e'
const rendered = (markdown: string) => withAbsoluteLinks(renderMarkdown(markdown), BASE)

test.each([
  ['[there](/world/q?a=1&b=2)', 'href="https://milepost.example/world/q?a=1&amp;b=2"'],
  ['[here](#part)', 'href="https://milepost.example/world/p/entries/e#part"'],
  ['![a crust](/api/media/x/full)', 'src="https://milepost.example/api/media/x/full"'],
  ['[beside](other)', 'href="https://milepost.example/world/p/entries/other"'],
  ['[elsewhere](https://example.org/a)', 'href="https://example.org/a"'],
  ['[mail](mailto:ada@example.org)', 'href="mailto:ada@example.org"'],
  ["[it's](/it's)", 'href="https://milepost.example/it&#x27;s"'],
])('%s leads to one place from everywhere', (markdown, expected) => {
  expect(rendered(markdown)).toContain(expected)
})

test('what was blanked stays blank', () => {
  expect(rendered('[x](javascript:alert(1))')).toContain('href=""')
})

test('text that looks like an attribute is left alone', () => {
  expect(rendered('Write ` href="/x"` so')).toContain('&quot;/x&quot;')
})
