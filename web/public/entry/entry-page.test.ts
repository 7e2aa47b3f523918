import { expect, test } from 'vitest'
import { aPublicEntry } from '#web/public/testing.ts'
import { entryPage } from './entry-page.ts'

test('a page contains the HTML that is stored with the entry, and not the Markdown', () => {
  const html = '<div class="prose"><p>It <strong>rose</strong>.</p></div>'
  const page = entryPage(aPublicEntry({ _id: 'one', content: 'It **rose**.', html }))
  expect(page.html).toBe(html)
  expect(JSON.stringify(page)).not.toContain('**')
})

test.each([
  [0, 1],
  [220, 1],
  [440, 2],
  [50_000, 227],
])('%i words take %i minutes to read', (wordCount, minutes) => {
  expect(entryPage(aPublicEntry({ _id: 'one', wordCount })).entry.minutes).toBe(minutes)
})
