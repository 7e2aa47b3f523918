import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import type { DraftStatus, SyncedText, SyncStart } from './draft-status.ts'
import { DraftSync } from './draft-sync.ts'

const AT = '2026-11-22T12:04:31.000Z'

/** What is on the screen, in the browser and on a server of one draft each id, which a test makes fail. */
function world(start: Partial<SyncStart> = {}, content = '') {
  const screen: SyncedText = { title: '', content, tags: [] }
  const stored: string[] = []
  const server = new Map<string, { text: SyncedText; version: number }>()
  const discarded: string[] = []
  const others: Draft[] = []
  const statuses: DraftStatus[] = []
  let ids = 0
  const state = { isFull: false, fail: null as unknown, isLost: false, hold: null as Promise<void> | null }
  const send = vi.fn<(id: string, content: string, ifMatch: number | undefined) => void>()
  const sync = new DraftSync<SyncedText>(
    {
      read: () => ({ ...screen }),
      isDirty: () => screen.content !== '',
      storeLocally() {
        if (!state.isFull) stored.push(screen.content)
        return !state.isFull
      },
      async send(id, text, { ifMatch }) {
        send(id, text.content, ifMatch)
        await state.hold
        if (state.fail) throw state.fail
        const current = server.get(id)
        if (!current && ifMatch !== undefined) throw new ApiError(404, 'not_found', 'Draft not found')
        if (current && current.version !== ifMatch)
          throw new ApiError(412, 'stale', 'Stale', { current: draftOf(id, current) })
        const version = (current?.version ?? 0) + 1
        server.set(id, { text, version })
        if (state.isLost) throw unreachable(new TypeError('reset'))
        return { _id: id, version, savedAt: AT }
      },
      discard: (id) => void (discarded.push(id), server.delete(id)),
      newId: () => `new ${(ids += 1)}`,
      onStatus: (status) => void statuses.push(status),
      knows: () => false,
      onOther: (theirs) => void others.push(theirs),
      onProgress() {},
    },
    { id: 'first', isStored: true, ...start },
  )
  sync.start()
  return {
    sync,
    screen,
    stored,
    server,
    discarded,
    others,
    state,
    send,
    type(content: string) {
      screen.content = content
      sync.changed()
    },
    status: () => statuses.at(-1),
    held: (id = 'first') => server.get(id)?.text.content,
  }
}

const draftOf = (_id: string, { text, version }: { text: SyncedText; version: number }) =>
  ({ _id, ...text, version, savedAt: AT }) as Draft

const saved = { kind: 'saved', at: AT }
const offline = unreachable(new TypeError('offline'))
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('what is typed', () => {
  test('is on the server within two seconds of a pause, and the line says so only then', async () => {
    const w = world()
    expect(w.status()).toEqual({ kind: 'none' })
    w.type('a')
    expect(w.status()).toEqual({ kind: 'saving' })
    await pass(999)
    expect(w.send).not.toHaveBeenCalled()
    await pass(1)
    expect(w.held()).toBe('a')
    expect(w.status()).toEqual(saved)
    w.type('ab')
    expect(w.status()).toEqual({ kind: 'saving' })
    expect(w.stored).toEqual([])
  })

  test('is never two seconds away from the server while somebody types without a pause', async () => {
    const w = world()
    let text = ''
    for (let at = 0; at < 100; at += 1) {
      w.type((text += 'x'))
      await pass(100)
      expect((w.held() ?? '').length).toBeGreaterThanOrEqual(text.length - 20)
    }
    expect(w.stored).toEqual([])
    await pass(2_000)
    expect(w.held()).toBe(text)
  })

  test('is in the browser within two seconds where the server does not answer', async () => {
    const w = world()
    w.state.hold = new Promise(() => {})
    let text = ''
    for (let at = 0; at < 100; at += 1) {
      w.type((text += 'x'))
      await pass(100)
      expect((w.stored.at(-1) ?? '').length).toBeGreaterThanOrEqual(text.length - 21)
    }
    expect(w.status()).toEqual({ kind: 'saving' })
  })

  test('is sent one request at a time, the last text last', async () => {
    const w = world()
    const answer = Promise.withResolvers<void>()
    w.state.hold = answer.promise
    w.type('a')
    await pass(1_000)
    w.type('ab')
    await pass(5_000)
    expect(w.send).toHaveBeenCalledOnce()
    w.state.hold = null
    answer.resolve()
    await pass(0)
    expect(w.status()).toEqual({ kind: 'saving' }) // the server has 'a'
    await pass(1_000)
    expect(w.held()).toBe('ab')
    expect(w.status()).toEqual(saved)
  })

  test('and taken back leaves no draft', async () => {
    const w = world()
    w.type('a')
    await pass(1_000)
    w.type('')
    await pass(1_000)
    expect(w.discarded).toEqual(['first'])
    expect(w.status()).toEqual({ kind: 'none' })
    w.type('b')
    await pass(1_000)
    expect(w.held('new 1')).toBe('b')
  })

  test('was stored by the browser before, and is sent once the editor is open', async () => {
    const w = world({ isStored: false }, 'a')
    await pass(1_000)
    expect(w.held()).toBe('a')
  })
})

test('a draft equal to the saved entry is discarded when the editor opens', () => {
  const w = world({ version: 3, savedAt: AT })
  expect(w.discarded).toEqual(['first'])
  expect(w.status()).toEqual({ kind: 'none' })
})

describe('where the server does not have it', () => {
  test.each([
    [offline, 'no connection'],
    [new ApiError(503, 'unavailable', 'Busy.'), 'the server is busy'],
    [new ApiError(500, 'unexpected', 'Sorry.'), 'the server failed'],
    [new ApiError(429, 'too_many_requests', 'Wait.'), 'too many requests, it is tried again soon'],
    [new ApiError(401, 'not_signed_in', 'Please'), 'you are signed out'],
    [new ApiError(413, 'too_large', 'Large'), 'the text is too large for the server'],
    [new ApiError(409, 'conflict', 'You have 100 drafts already.'), 'You have 100 drafts already'],
  ])('the line says why: %o', async (error, reason) => {
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

  test('and the browser stores nothing either, it is not saved', async () => {
    const w = world()
    w.state.fail = offline
    w.state.isFull = true
    w.type('a')
    await pass(1_000)
    expect(w.status()).toEqual({ kind: 'lost', reason: 'no connection' })
  })

  test('and another tab takes its place in the browser, it is not saved', async () => {
    const w = world()
    w.state.fail = offline
    w.type('a')
    await pass(1_000)
    w.sync.lostLocal()
    expect(w.status()).toEqual({ kind: 'lost', reason: 'no connection' })
  })

  test('it is retried with backoff, and immediately when the connection is back', async () => {
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

  test('and refuses it for good, it is not tried again before it changes', async () => {
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
  test('is never overwritten: what is written here becomes a draft of its own', async () => {
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

  test('is not suspected where the answer to an own request was lost', async () => {
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

  test('has ended the draft: the text stays here, and nothing comes back unless somebody types', async () => {
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

describe('a save', () => {
  test('waits for the request in flight, ends the draft, and sends nothing more', async () => {
    const w = world()
    const answer = Promise.withResolvers<void>()
    w.state.hold = answer.promise
    w.type('a')
    await pass(1_000)
    const paused = w.sync.pause()
    answer.resolve()
    expect(await paused).toBe('first')
    w.type('ab')
    w.sync.end()
    await pass(60_000)
    expect(w.send).toHaveBeenCalledOnce()
    expect(w.discarded).toEqual([])
  })

  test('does not wait for a server that hangs, and deletes what may arrive late', async () => {
    const w = world()
    w.state.hold = new Promise(() => {})
    w.type('a')
    await pass(1_000)
    void w.sync.pause()
    await pass(3_000)
    w.sync.end()
    expect(w.discarded).toEqual(['first'])
  })

  test('that fails resumes it', async () => {
    const w = world()
    w.type('a')
    expect(await w.sync.pause()).toBeUndefined()
    w.sync.resume()
    await pass(1_000)
    expect(w.held()).toBe('a')
  })
})

test('leaving during a save sends the last words when that has failed, at once and not again', async () => {
  const w = world()
  w.type('a')
  await w.sync.pause()
  await w.sync.leave()
  expect(w.send).not.toHaveBeenCalled()
  w.sync.resume()
  await pass(0)
  expect(w.held()).toBe('a')
  await pass(60_000)
  expect(w.send).toHaveBeenCalledOnce()
})

test('a session that ends during a save sends nothing afterwards: the next one may be somebody else’s', async () => {
  const w = world()
  w.type('a')
  await w.sync.pause()
  w.sync.stop()
  w.sync.resume()
  await pass(60_000)
  expect(w.send).not.toHaveBeenCalled()
})

test('leaving sends the last change once, and does not overwrite a later session', async () => {
  const w = world()
  w.type('a')
  await pass(1_000)
  w.type('ab')
  await w.sync.leave()
  expect(w.held()).toBe('ab')
  w.server.set('first', { text: { title: '', content: 'went on', tags: [] }, version: 9 })
  await pass(60_000)
  expect(w.held()).toBe('went on')
})

test('a draft that is discarded is deleted, also while it is being sent', async () => {
  const w = world()
  w.state.hold = new Promise(() => {})
  w.type('a')
  await pass(1_000)
  w.screen.content = ''
  w.sync.discard()
  expect(w.discarded).toEqual(['first'])
  expect(w.status()).toEqual({ kind: 'none' })
})
