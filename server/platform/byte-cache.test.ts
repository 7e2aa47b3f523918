import { describe, expect, it } from 'vitest'
import { createByteCache } from './byte-cache.ts'

const MAX = 10_000
const cacheOfBuffers = () => createByteCache<Buffer>({ maxBytes: MAX, sizeOf: (value) => value.length })

describe('a cache of bytes', () => {
  it('never exceeds its size, and evicts the least recently used', () => {
    const cache = cacheOfBuffers()
    for (let index = 0; index < 100; index += 1) {
      cache.set(`k${index}`, Buffer.alloc(1_000))
      cache.get('k0')
      expect(cache.bytes()).toBeLessThanOrEqual(MAX)
    }
    expect(cache.get('k0')).toBeDefined()
    expect(cache.get('k1')).toBeUndefined()
    expect(cache.get('k99')).toBeDefined()
  })

  it('does not store a value larger than its size', () => {
    const cache = cacheOfBuffers()
    cache.set('large', Buffer.alloc(MAX))
    expect(cache.get('large')).toBeUndefined()
    expect(cache.bytes()).toBe(0)
  })

  it('counts the overhead of each value, so that a million small ones are bounded too', () => {
    const cache = cacheOfBuffers()
    for (let index = 0; index < 1_000; index += 1) cache.set(`k${index}`, Buffer.alloc(0))
    expect(cache.get('k0')).toBeUndefined()
  })

  it('computes a value once for concurrent requests', async () => {
    const cache = cacheOfBuffers()
    let made = 0
    const make = async () => {
      made += 1
      return Buffer.from('page')
    }
    const all = await Promise.all([1, 2, 3].map(() => cache.obtain('page', make)))
    expect([...all, await cache.obtain('page', make)].map(String)).toEqual(['page', 'page', 'page', 'page'])
    expect(made).toBe(1)
  })

  it('stores only values worth caching', async () => {
    const cache = createByteCache<Buffer>({
      maxBytes: MAX,
      sizeOf: (value) => value.length,
      keeps: (value) => value.length > 0,
    })
    await cache.obtain('empty', async () => Buffer.alloc(0))
    expect(cache.get('empty')).toBeUndefined()
  })

  it('does not cache a failure', async () => {
    const cache = cacheOfBuffers()
    const failing = cache.obtain('page', () => Promise.reject(new Error('not now')))
    await expect(failing).rejects.toThrow('not now')
    expect(String(await cache.obtain('page', async () => Buffer.from('page')))).toBe('page')
  })
})
