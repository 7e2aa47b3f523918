import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { digestOf } from './draft-sync.ts'
import { offline, pass, saved, world } from './testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a text that the server does not have', () => {
  test.each([
    [offline, 'no connection'],
    [new ApiError(503, 'unavailable', 'Busy.'), 'the server is busy'],
    [new ApiError(500, 'unexpected', 'Sorry.'), 'the server failed'],
    [new ApiError(429, 'too_many_requests', 'Wait.'), 'too many requests, it is tried again soon'],
    [new ApiError(401, 'not_signed_in', 'Please'), 'you are signed out'],
    [new ApiError(413, 'too_large', 'Large'), 'the text is too large for the server'],
    [new ApiError(409, 'conflict', 'You have 100 drafts already.'), 'You have 100 drafts already'],
  ])('has the reason in its status: %o', async (error, reason) => {
    const w = world()
    w.state.fail = error
    w.type('a')
    await pass(1_000)
    expect(w.stored).toEqual(['a'])
    expect(w.status()).toEqual({ kind: 'local', reason })
    w.type('ab')
    expect(w.status()).toEqual({ kind: 'saving' })
    await pass(3_000)
    expect(w.stored.at(-1)).toBe('ab')
    expect(w.status()).toEqual({ kind: 'local', reason })
    w.state.fail = null
    w.type('abc')
    w.sync.retry()
    await pass(15_000)
    expect(w.held()).toBe('abc')
    expect(w.status()).toEqual(saved)
  })

  test('is not saved if the browser cannot store it either', async () => {
    const w = world()
    w.state.fail = offline
    w.state.isFull = true
    w.type('a')
    await pass(1_000)
    expect(w.status()).toEqual({ kind: 'lost', reason: 'no connection' })
  })

  test('replaces what an earlier composer has sent without a response, as one draft', async () => {
    const sent = { title: '', content: 'sent', tags: [] }
    const w = world({ version: 3, isSaved: false, sent: [digestOf(sent)] }, 'sent, more')
    // The request arrives once the next composer is open.
    w.server.set('first', { text: sent, version: 4 })
    w.type('sent, more and more')
    await pass(2_000)
    expect(w.others).toEqual([])
    expect([...w.server.values()].map(({ text }) => text.content)).toEqual(['sent, more and more'])
  })

  test('is not saved if another tab overwrites it in the browser', async () => {
    const w = world()
    w.state.fail = offline
    w.type('a')
    await pass(1_000)
    w.sync.noteReplaced()
    expect(w.status()).toEqual({ kind: 'lost', reason: 'no connection' })
  })

  test('is sent again with backoff, and immediately when the connection is back', async () => {
    const w = world()
    w.state.fail = offline
    w.type('a')
    await pass(60_000)
    const tries = w.send.mock.calls.length
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(10)
    w.state.fail = null
    w.sync.retry()
    await pass(0)
    expect(w.status()).toEqual(saved)
  })

  test('is sent after a save that failed in the same outage', async () => {
    const w = world()
    w.state.fail = offline
    w.type('a')
    await pass(1_000)
    await w.sync.pause()
    void w.sync.resume()
    w.state.fail = null
    await pass(2_000)
    expect(w.held()).toBe('a')
    expect(w.status()).toEqual(saved)
  })

  test('is not sent again before it changes if the server has refused it permanently', async () => {
    const w = world()
    w.state.fail = new ApiError(400, 'invalid', 'Content contains a character that cannot be stored')
    w.type('a')
    await pass(60_000)
    expect(w.send).toHaveBeenCalledOnce()
    w.state.fail = null
    w.type('b')
    await pass(1_000)
    expect(w.held()).toBe('b')
  })
})

describe('another device', () => {
  test('is never overwritten: the text here becomes a separate draft', async () => {
    const w = world()
    w.type('mine')
    await pass(1_000)
    w.server.set('first', { text: { title: '', content: 'theirs', tags: [] }, version: 2 })
    w.type('mine, more')
    await pass(1_100)
    expect(w.held()).toBe('theirs')
    expect(w.held('new 1')).toBe('mine, more')
    expect(w.others).toMatchObject([{ content: 'theirs' }])
    expect(w.status()).toEqual(saved)
  })

  test('is never overwritten after a failure either, and the text here is sent at once', async () => {
    const w = world()
    w.type('mine')
    await pass(1_000)
    w.state.fail = offline
    w.type('mine, more')
    await pass(1_000)
    w.state.fail = null
    w.server.set('first', { text: { title: '', content: 'theirs', tags: [] }, version: 2 })
    await pass(1_100)
    expect(w.held()).toBe('theirs')
    expect(w.held('new 1')).toBe('mine, more')
    expect(w.status()).toEqual(saved)
  })

  test('is not assumed if the response to an own request was lost', async () => {
    const w = world()
    w.state.isLost = true
    w.type('a')
    await pass(1_000)
    expect(w.status()).toEqual({ kind: 'local', reason: 'no connection' })
    w.state.isLost = false
    w.type('ab')
    await pass(5_000)
    expect(w.others).toEqual([])
    expect(w.held()).toBe('ab')
    expect(w.status()).toEqual(saved)
  })

  test('has ended the draft: the text stays here, and is sent only after a change', async () => {
    const w = world()
    w.type('a')
    await pass(1_000)
    w.server.clear()
    w.type('ab')
    await pass(30_000)
    expect(w.status()).toEqual({ kind: 'local', reason: 'it was saved or discarded elsewhere' })
    expect(w.server.size).toBe(0)
    w.type('abc')
    await pass(1_000)
    expect(w.held('new 1')).toBe('abc')
  })
})
