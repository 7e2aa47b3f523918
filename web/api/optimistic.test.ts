import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ApiError } from './api-error.ts'
import { changeCached, optimisticMutation } from './optimistic.ts'

const key = ['trail']
const withCamp = (list: string[]) => [...list, 'camp']

test('a change shows immediately and can be rolled back', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['start'])
  const { rollback } = await changeCached(key, withCamp)(client)
  expect(client.getQueryData(key)).toEqual(['start', 'camp'])
  rollback()
  expect(client.getQueryData(key)).toEqual(['start'])
})

test('a running fetch does not overwrite the change', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['start'])
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const fetching = client.fetchQuery({ queryKey: key, queryFn: () => promise }).catch(() => undefined)
  await changeCached(key, withCamp)(client)
  resolve(['start'])
  await fetching
  expect(client.getQueryData(key)).toEqual(['start', 'camp'])
})

test('everything under the key changes, each by its own key, and is rolled back', async () => {
  const client = new QueryClient()
  const pages = [1, 2].map((page) => ['trail', page])
  for (const page of pages) client.setQueryData(page, ['start'])
  const { rollback } = await changeCached(key, (list: string[], page) => [
    ...list,
    `camp ${String(page.at(-1))}`,
  ])(client)
  expect(pages.map((page) => client.getQueryData(page))).toEqual([
    ['start', 'camp 1'],
    ['start', 'camp 2'],
  ])
  rollback()
  expect(pages.map((page) => client.getQueryData(page))).toEqual([['start'], ['start']])
})

test('changes that fail one after the other restore the state before the first', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['start'])
  const camp = await changeCached(key, withCamp)(client)
  const summit = await changeCached(key, (list: string[]) => [...list, 'summit'])(client)
  camp.rollback()
  camp.settle()
  expect(client.getQueryData(key)).toEqual(['start', 'summit'])
  summit.rollback()
  summit.settle()
  expect(client.getQueryData(key)).toEqual(['start'])

  client.setQueryData(key, ['home'])
  const again = await changeCached(key, withCamp)(client)
  again.rollback()
  expect(client.getQueryData(key)).toEqual(['home'])
})

test('a change that fails after the session has ended restores none of its data', async () => {
  const client = new QueryClient()
  client.setQueryData(key, ['mine'])
  const first = await changeCached(key, withCamp)(client)
  client.clear()
  first.rollback()
  expect(client.getQueryData(key)).toBeUndefined()
  client.setQueryData(key, ['of somebody else'])
  const second = await changeCached(key, withCamp)(client)
  client.clear()
  client.setQueryData(key, ['mine'])
  second.rollback()
  expect(client.getQueryData(key)).toEqual(['mine'])
})

test('nothing is cached for a key that was never fetched', async () => {
  const client = new QueryClient()
  const { rollback } = await changeCached(key, withCamp)(client)
  rollback()
  expect(client.getQueryData(key)).toBeUndefined()
})

/** Creates a named milestone; the test settles its request. */
function creating() {
  const client = new QueryClient()
  client.setQueryData(key, [{ _id: '1', name: 'start' }])
  const request = Promise.withResolvers<{ _id: string; name: string }>()
  const onFailure = vi.fn<(error: Error) => void>()
  const onStale = vi.fn<(current: unknown) => void>()
  const onSettled = vi.fn<() => void>()
  const mutation = client.getMutationCache().build(
    client,
    optimisticMutation(client, {
      mutationKey: key,
      mutationFn: (_name: string) => request.promise,
      changes: (name) => [changeCached(key, (list: object[]) => [...list, { _id: '2', name }])],
      onStale,
      successText: 'Created',
      onFailure,
      onSettled,
    }),
  )
  const settled = mutation.execute('camp').catch(() => undefined)
  const shown = () => client.getQueryData<{ _id: string; name: string }[]>(key) ?? []
  return { shown, settled, request, onFailure, onStale, onSettled }
}

test('a new resource is shown before the server responds', async () => {
  const success = vi.spyOn(toast, 'success').mockImplementation(() => undefined)
  const { shown, settled, request, onFailure, onSettled } = creating()
  await vi.waitFor(() => expect(shown()).toHaveLength(2), { timeout: 60_000 })
  request.resolve({ _id: '2', name: 'camp' })
  await settled
  expect(shown().map(({ _id }) => _id)).toEqual(['1', '2'])
  expect(success).toHaveBeenCalledExactlyOnceWith('Created')
  expect(onFailure).not.toHaveBeenCalled()
  expect(onSettled).toHaveBeenCalledOnce()
})

test('a failed mutation is rolled back and reported', async () => {
  const { shown, settled, request, onFailure, onStale, onSettled } = creating()
  await vi.waitFor(() => expect(shown()).toHaveLength(2), { timeout: 60_000 })
  const error = new ApiError(403, 'forbidden', 'You may only view this project')
  request.reject(error)
  await settled
  expect(shown()).toHaveLength(1)
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(error, 'camp')
  expect(onStale).not.toHaveBeenCalled()
  expect(onSettled).toHaveBeenCalledOnce()
})

test('a mutation that fails because the session has ended shows no toast, because the sign-in page shows it', async () => {
  const show = vi.spyOn(toast, 'error').mockReturnValue()
  const client = new QueryClient()
  const options = optimisticMutation(client, {
    mutationKey: key,
    async mutationFn(error: ApiError) {
      throw error
    },
    changes: () => [],
    onFailure: 'Failed to update project',
    onSettled: () => undefined,
  })
  const fail = (error: ApiError) =>
    expect(client.getMutationCache().build(client, options).execute(error)).rejects.toBe(error)
  await fail(new ApiError(401, 'not_signed_in', 'Please sign in to continue', { isFromServer: true }))
  expect(show).not.toHaveBeenCalled()
  await fail(new ApiError(503, 'unavailable', 'Later'))
  expect(show).toHaveBeenCalledExactlyOnceWith('Failed to update project')
})

test('a stale mutation receives the current resource', async () => {
  const { settled, request, onStale } = creating()
  const current = { _id: '1', name: 'summit' }
  request.reject(new ApiError(412, 'stale', 'Changed elsewhere', { current }))
  await settled
  expect(onStale).toHaveBeenCalledExactlyOnceWith(current)
})

test('a response is not cached while a later mutation of its scope is in flight', async () => {
  const client = new QueryClient()
  client.setQueryData(key, 'start')
  const store = vi.fn<(place: string) => void>((place) => client.setQueryData(key, place))
  const options = optimisticMutation(client, {
    mutationKey: key,
    scope: { id: 'trail' },
    mutationFn: ({ response }: { to: string; response: Promise<string> }) => response,
    changes: ({ to }) => [changeCached(key, () => to)],
    store,
    onFailure: 'Failed to move',
    onSettled: () => undefined,
  })
  const move = (to: string) => {
    const request = Promise.withResolvers<string>()
    const mutation = client.getMutationCache().build(client, options)
    return { ...request, settled: mutation.execute({ to, response: request.promise }).catch(() => undefined) }
  }
  const moves = { camp: move('camp'), ridge: move('ridge'), summit: move('summit') }
  await vi.waitFor(() => expect(client.getQueryData(key)).toBe('summit'), { timeout: 60_000 })
  moves.camp.resolve('camp by the server')
  await moves.camp.settled
  const current = 'ridge by somebody else'
  moves.ridge.reject(new ApiError(412, 'stale', 'Changed elsewhere', { current }))
  await moves.ridge.settled
  expect(client.getQueryData(key)).toBe('summit')
  expect(store).not.toHaveBeenCalled()
  moves.summit.resolve('summit by the server')
  await moves.summit.settled
  expect(client.getQueryData(key)).toBe('summit by the server')
})
