import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { endSession } from '#web/api/client.ts'
import { discardListed } from './discard-listed.ts'
import { outbox } from './page-outbox.ts'

afterEach(() => {
  endSession()
  vi.unstubAllGlobals()
})

test('what the previous version was to discard is discarded once, and its list removed', async () => {
  const stored = new Map([['draftsDiscarded/ada', '["gone","there"]']])
  const send = vi.fn<(path: string) => Promise<Response>>(async (path) =>
    path.endsWith('gone')
      ? Response.json({ code: 'not_found', message: 'No' }, { status: 404 })
      : new Response(null, { status: 204 }),
  )
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('navigator', { onLine: true })
  await outbox.open('ada')
  for (let sessions = 0; sessions < 2; sessions += 1) discardListed('ada')
  expect([...stored]).toEqual([])
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2))
  await outbox.drained(1_000)
  expect(send.mock.calls.map(([path]) => path)).toEqual(['/api/drafts/gone', '/api/drafts/there'])
  expect(outbox.pending.read()).toEqual([])
})

test('a list that is spoiled is removed like an empty one', () => {
  const stored = new Map([['draftsDiscarded/ada', '7']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  })
  discardListed('ada')
  expect([...stored]).toEqual([])
})
