import { expect, it, vi } from 'vitest'
import { ApiError, unreachable } from './api-error.ts'
import { createQueryClient, isTransient } from './query-client.ts'

it('retries temporary errors and accepts permanent ones', () => {
  expect(isTransient(unreachable(new TypeError('fetch failed')))).toBe(true)
  expect(isTransient(new ApiError(503, 'unavailable', 'Busy'))).toBe(true)
  expect(isTransient(new ApiError(429, 'too_many_requests', 'Slow down'))).toBe(true)
  expect(isTransient(new ApiError(404, 'not_found', 'Project not found'))).toBe(false)
  expect(isTransient(new Error('a fault of ours'))).toBe(false)
})

it('shows the error of a read that got no response in time, without retries', async () => {
  const queryFn = vi.fn<() => Promise<never>>()
  const cause = new DOMException('The operation timed out.', 'TimeoutError')
  queryFn.mockRejectedValue(unreachable(cause))
  await expect(createQueryClient().fetchQuery({ queryKey: ['x'], queryFn })).rejects.toMatchObject({ cause })
  expect(queryFn).toHaveBeenCalledOnce()
})

it('prevents a mutation that outlives its session from showing or caching anything', async () => {
  const client = createQueryClient()
  const callbacks = {
    onSuccess: vi.fn<() => void>(),
    onError: vi.fn<() => void>(),
    onSettled: vi.fn<() => void>(),
  }
  const begin = (response: Promise<string>) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => response, ...callbacks })
      .execute(undefined)
  const saved = Promise.withResolvers<string>()
  const failed = Promise.withResolvers<string>()
  const outcomes = Promise.allSettled([begin(saved.promise), begin(failed.promise)])
  client.clear()
  saved.resolve('saved')
  failed.reject(new ApiError(503, 'unavailable', 'Later'))
  expect(await outcomes).toMatchObject([{ value: 'saved' }, { reason: { status: 503 } }])
  for (const callback of Object.values(callbacks)) expect(callback).not.toHaveBeenCalled()

  await begin(Promise.resolve('saved'))
  expect(callbacks.onSuccess).toHaveBeenCalledOnce()
})
