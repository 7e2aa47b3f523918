import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pass, saved, world } from './testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a change', () => {
  test('is on the server within two seconds of a pause, and only then has that status', async () => {
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
  })

  test('is sent within two seconds while somebody types without a pause', async () => {
    const w = world()
    let text = ''
    for (let at = 0; at < 100; at += 1) {
      w.type((text += 'x'))
      await pass(100)
      expect((w.held() ?? '').length).toBeGreaterThanOrEqual(text.length - 20)
    }
    await pass(2_000)
    expect(w.held()).toBe(text)
  })

  test('is in the browser within two seconds if the server does not respond', async () => {
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

  test('is sent after the response to the previous request', async () => {
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

  test('that is reverted leaves no draft', async () => {
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

  test('that the browser stored before is sent once the editor is open', async () => {
    const w = world({ isSaved: false }, 'a')
    await pass(1_000)
    expect(w.held()).toBe('a')
  })
})

test('what is sent is in the browser before, and with its version once the server has it', async () => {
  const w = world()
  w.state.hold = new Promise(() => {})
  w.type('a')
  await pass(1_000)
  expect(w.stored).toEqual(['a'])
  expect(w.copies.at(-1)).toMatchObject({ id: 'first', version: undefined, isSaved: false })
  expect(w.copies.at(-1)?.sent).toHaveLength(1)
  const other = world()
  other.type('a')
  await pass(1_000)
  expect(other.copies.at(-1)).toEqual({ id: 'first', version: 1, isSaved: true, sent: [] })
})

test('a composer in which nothing was typed stores nothing over what another tab has stored', async () => {
  const w = world({ isSaved: false }, 'a')
  w.sync.noteReplaced()
  await pass(2_000)
  expect(w.held()).toBe('a')
  expect(w.stored).toEqual([])
})

test('a draft equal to the saved entry is discarded when the editor opens', () => {
  const w = world({ version: 3, savedAt: saved.at })
  expect(w.discarded).toEqual(['first'])
  expect(w.status()).toEqual({ kind: 'none' })
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

  test('does not wait for a server that hangs, and deletes a draft that may arrive late', async () => {
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
    void w.sync.resume()
    await pass(1_000)
    expect(w.held()).toBe('a')
  })
})

test('leaving during a save sends the last change once, immediately after the save has failed', async () => {
  const w = world()
  w.type('a')
  await w.sync.pause()
  await w.sync.leave()
  expect(w.send).not.toHaveBeenCalled()
  const { promise, resolve } = Promise.withResolvers<void>()
  w.state.hold = promise
  const isSent = vi.fn<() => void>()
  void w.sync.resume().then(isSent)
  await pass(0)
  expect(isSent, 'so that the next editor finds the draft').not.toHaveBeenCalled()
  resolve()
  await pass(0)
  expect(isSent).toHaveBeenCalledOnce()
  expect(w.held()).toBe('a')
  await pass(60_000)
  expect(w.send).toHaveBeenCalledOnce()
})

test('a session that ends during a save sends nothing afterwards, because the next may be somebody else’s', async () => {
  const w = world()
  w.type('a')
  await w.sync.pause()
  w.sync.stop()
  void w.sync.resume()
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

test('a discarded draft is deleted, even while it is being sent', async () => {
  const w = world()
  w.state.hold = new Promise(() => {})
  w.type('a')
  await pass(1_000)
  w.screen.content = ''
  w.sync.discard()
  expect(w.discarded).toEqual(['first'])
  expect(w.status()).toEqual({ kind: 'none' })
})

test('a draft that the server creates only after it was discarded is deleted then', async () => {
  const w = world()
  const held = Promise.withResolvers<void>()
  w.state.hold = held.promise
  w.type('a')
  await pass(1_000)
  w.screen.content = ''
  w.sync.discard()
  w.state.hold = null
  held.resolve()
  await pass(0)
  expect(w.server.size).toBe(0)
  w.type('another')
  await pass(1_000)
  expect(w.held('new 1')).toBe('another')
})
