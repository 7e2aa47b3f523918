import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FormCalls } from '#web/api/saving.ts'
import { callsToStore, restoreCalls, storedCalls } from './stored-calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const creation = (body: object) => ({ key: 'k', input: { body }, sentAt: Date.now(), isAmended: false })

const afterReload = (calls: FormCalls) =>
  restoreCalls(storedCalls.parse(JSON.parse(JSON.stringify(callsToStore(calls) ?? null))))

test('the sent calls of a form are restored with its draft', () => {
  const calls = { creation: creation({ title: 'Rye', tags: ['bread'] }), updates: [{ title: 'Wheat' }] }
  expect(afterReload(calls)).toEqual(calls)
  expect(callsToStore({ updates: [] })).toBeUndefined()
})

test('a call is forgotten before the server forgets its key', () => {
  const calls = { creation: creation({ title: 'Rye' }), updates: [] }
  vi.advanceTimersByTime(19 * 3_600_000)
  expect(afterReload(calls).creation).toEqual(calls.creation)
  vi.advanceTimersByTime(2 * 3_600_000)
  expect(afterReload(calls).creation).toBeUndefined()
})

test('a call with a file is not stored, because without the file it would be another call', () => {
  const calls = { creation: creation({ title: 'Rye', image: new File([], 'rye.png') }), updates: [] }
  expect(callsToStore(calls)).toBeUndefined()
})

test('older drafts, and calls of another shape, restore no calls', () => {
  for (const kept of [undefined, null, { creation: { key: 1 } }])
    expect(restoreCalls(storedCalls.parse(kept))).toEqual({ creation: undefined, updates: [] })
})
