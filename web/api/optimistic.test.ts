import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { changeOptimistically, isUnsaved, unsavedId } from './optimistic.ts'

const key = ['trail']
const withCamp = (list: string[]) => [...list, 'camp']

test('a change shows at once and can be taken back', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['start'])
  const undo = await changeOptimistically(client, key, withCamp)
  expect(client.getQueryData(key)).toEqual(['start', 'camp'])
  undo()
  expect(client.getQueryData(key)).toEqual(['start'])
})

test('a fetch that is under way does not undo the change', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['start'])
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const fetching = client.fetchQuery({ queryKey: key, queryFn: () => promise }).catch(() => undefined)
  await changeOptimistically(client, key, withCamp)
  resolve(['start'])
  await fetching
  expect(client.getQueryData(key)).toEqual(['start', 'camp'])
})

test('all that lies under the key changes, each by its own key, and comes back', async () => {
  const client = new QueryClient()
  const pages = [1, 2].map((page) => ['trail', page])
  for (const page of pages) client.setQueryData(page, ['start'])
  const undo = await changeOptimistically(client, key, (list: string[], page) => [
    ...list,
    `camp ${String(page.at(-1))}`,
  ])
  expect(pages.map((page) => client.getQueryData(page))).toEqual([
    ['start', 'camp 1'],
    ['start', 'camp 2'],
  ])
  undo()
  expect(pages.map((page) => client.getQueryData(page))).toEqual([['start'], ['start']])
})

test('what was never read is not made up', async () => {
  const client = new QueryClient()
  const undo = await changeOptimistically(client, key, withCamp)
  undo()
  expect(client.getQueryData(key)).toBeUndefined()
})

test('something new is known as unsaved until the server has given it an id', () => {
  expect(isUnsaved({ _id: unsavedId() })).toBe(true)
  expect(unsavedId()).not.toBe(unsavedId())
  expect(isUnsaved({ _id: '0199f1f0-0000-7000-8000-000000000000' })).toBe(false)
})
