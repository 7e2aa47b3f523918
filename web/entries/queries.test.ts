import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { entryQuery, storeEntry } from './queries.ts'

const entry: Entry = {
  _id: '1',
  title: 'Rye',
  content: 'It **rose**.',
  excerpt: 'It rose.',
  wordCount: 2,
  renderedAs: 'markdown',
  tags: [],
  milestone: 'm',
  happenedAt: '2026-03-01T12:00:00.000Z',
  happenedOn: '2026-03-01',
  happenedZone: 'UTC',
  author: { name: 'Ada Lovelace' },
  state: 'published',
  publishedAt: '2026-03-01T12:00:00.000Z',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  version: 1,
}
const { queryKey } = entryQuery('m', '1')

function clientThatHasRead() {
  const client = new QueryClient()
  client.setQueryData(queryKey, { ...entry, html: '<p>It <strong>rose</strong>.</p>' })
  return client
}

test('the response to a change of the content removes the HTML and refetches the entry', () => {
  const client = clientThatHasRead()
  storeEntry(client, { ...entry, content: 'It fell.', version: 2 })
  expect(client.getQueryData(queryKey)).toMatchObject({ content: 'It fell.', html: undefined })
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

test('the response to a change of only the title keeps the HTML', () => {
  const client = clientThatHasRead()
  storeEntry(client, { ...entry, title: 'Rye bread', version: 2 })
  expect(client.getQueryData(queryKey)).toMatchObject({
    title: 'Rye bread',
    html: '<p>It <strong>rose</strong>.</p>',
  })
})
