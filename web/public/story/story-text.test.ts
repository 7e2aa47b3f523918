import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { withScopedIds } from '#web/markdown/scoped-ids.ts'
import { textInStory } from './story-text.ts'

const levelsOf = (html: string) => Array.from(html.matchAll(/<h(\d)/g), ([, level]) => Number(level))

test('the headings of an entry are below its title in a story, and none is below the sixth level', () => {
  const { html } = renderMarkdown('# One\n\n## Two\n\n### Three\n\n#### Four\n\n`<h2 id="x">`')
  expect(levelsOf(html)).toEqual([2, 3, 4, 5])
  const told = textInStory(html, { isPrinted: false })
  expect(levelsOf(told)).toEqual([4, 5, 6, 6])
  for (const level of [4, 5, 6]) {
    const count = (tag: string) => told.split(tag).length
    expect(count(`<h${level} `)).toBe(count(`</h${level}>`))
  }
  expect(told).toContain('&lt;h2 id=')
})

test('two entries with the same headings and footnotes share no id and no name, and their links stay in their entry', () => {
  const { html } = renderMarkdown('# Glue\n\nIt sets[^1]. See [glue](#glue).\n\n[^1]: In an hour.')
  const told = ['a', 'b'].map((scope) => withScopedIds(textInStory(html, { isPrinted: false }), scope))
  const idsIn = (text: string) => Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
  const all = told.flatMap(idsIn)
  expect(all.length).toBeGreaterThan(4)
  expect(new Set(all).size).toBe(all.length)
  for (const text of told) {
    const targets = Array.from(text.matchAll(/ href="#([^"]+)"/g), ([, id]) => id)
    expect(targets.length).toBeGreaterThan(2)
    for (const target of targets) expect(idsIn(text)).toContain(target)
    expect(text).not.toContain('aria-label="Footnotes"')
  }
})

test('pictures that are printed are not loaded only when they come into view', () => {
  const html = '<p><img src="/a" alt="loading" loading="lazy" decoding="async"></p>'
  expect(textInStory(html, { isPrinted: false })).toBe(html)
  expect(textInStory(html, { isPrinted: true })).toBe('<p><img src="/a" alt="loading" decoding="async"></p>')
})
