import { expect, it } from 'vitest'
import { ApiError, unreachable } from './api-error.ts'
import { isPassing } from './query-client.ts'

it('retries temporary errors and accepts permanent ones', () => {
  expect(isPassing(unreachable(new TypeError('fetch failed')))).toBe(true)
  expect(isPassing(new ApiError(503, 'unavailable', 'Busy'))).toBe(true)
  expect(isPassing(new ApiError(429, 'too_many_requests', 'Slow down'))).toBe(true)
  expect(isPassing(new ApiError(404, 'not_found', 'Project not found'))).toBe(false)
  expect(isPassing(new Error('a fault of ours'))).toBe(false)
})
