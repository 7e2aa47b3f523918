import { expect, test } from 'vitest'
import type { WorldEntries } from '#contract/world.ts'
import { renderMarkdown } from '#markdown/render.ts'
import { aPublicPage } from '#web/public/testing.ts'
import { feedText } from './feed-text.ts'

const { html, excerpt } = renderMarkdown('$E=mc^2$ and $a<b$\n\n- [x] done\n- [ ] open')
const entry = {
  _id: '0199f1f0-0000-7000-8000-000000000002',
  milestone: '0199f1f0-0000-7000-8000-000000000003',
  title: 'The theory',
  tags: [],
  html,
  excerpt,
  author: null,
  happenedOn: '2019-03-02',
  createdAt: '2026-11-27T10:00:00.000Z',
  publishedAt: '2026-11-27T10:00:00.000Z',
  updatedAt: '2026-11-27T10:00:00.000Z',
  milestoneTitle: 'First steps',
} as unknown as WorldEntries['entries'][number]
const content: WorldEntries = {
  project: aPublicPage(['0199f1f0-0000-7000-8000-000000000001']).project,
  changedAt: '2026-11-27T10:00:00.000Z',
  entries: [entry],
}

test.each(['atom', 'rss', 'json'] as const)(
  'an item of %s has the date of publication alone, its day in its text, and no language',
  async (format) => {
    const { text } = await feedText(content, format, 'https://milepost.example/')
    expect(text).not.toMatch(/dc:date|xml:lang|<language>|"language"/)
    expect(text).toContain('2019-03-02</time>')
    for (const part of ['<code>E=mc^2</code>', '<code>a&#60;b</code>', '☑', '☐']) expect(text).toContain(part)
    expect(text).not.toMatch(/<math|<input/)
  },
)
