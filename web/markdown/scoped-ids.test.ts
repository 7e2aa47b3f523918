import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { withScopedIds } from './scoped-ids.ts'

const content =
  '[Parts](#parts) [out](https://example.org/#section-a) [b](section-b) `id="section-c"`\n\n# Parts\n\nIt rose[^1].\n\n[^1]: a'

test('ids get a prefix, and the links to them still lead there', () => {
  const html = withScopedIds(renderMarkdown(content).html, 'preview')
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id)
  expect(ids).toEqual(['preview-section-parts', 'preview-footnote-ref-1', 'preview-footnote-1'])
  const targets = Array.from(html.matchAll(/ href="#([^"]*)"/g), ([, id]) => id)
  expect(new Set(targets)).toEqual(new Set(ids))
})

test('nothing else changes', () => {
  const { html } = renderMarkdown(content)
  const scoped = withScopedIds(html, 'preview')
  expect(scoped).toContain('href="https://example.org/#section-a"')
  expect(scoped).toContain('href="section-b"')
  expect(scoped.replaceAll('preview-', '')).toBe(html)
})
