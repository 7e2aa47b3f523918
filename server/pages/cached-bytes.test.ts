import { expect, test } from 'vitest'
import { createPageCache, pageKey } from './page-cache.ts'
import type { FinishedPage } from './render.ts'

const MB = 1024 * 1024

const page = (bytes: number, status = 200): FinishedPage => ({
  status,
  headers: {},
  body: Buffer.alloc(bytes),
})

test('the page cache has a maximum size, and evicts the least recently used pages', async () => {
  const cache = createPageCache()
  for (let index = 0; index < 40; index += 1) {
    await cache.obtain(pageKey(`p${index}`), 'identity', async () => page(MB))
    cache.get(pageKey('p0'), 'identity')
  }
  expect(cache.get(pageKey('p0'), 'identity')).toBeDefined()
  expect(cache.get(pageKey('p1'), 'identity')).toBeUndefined()
  const cached = Array.from({ length: 40 }, (_, index) => cache.get(pageKey(`p${index}`), 'identity')).filter(
    Boolean,
  )
  expect(cached).toHaveLength(31)
})

test('empty pages count too', async () => {
  const cache = createPageCache()
  for (let index = 0; index < 20_000; index += 1)
    await cache.obtain(pageKey(`p${index}`), 'identity', async () => page(0))
  expect(cache.get(pageKey('p0'), 'identity')).toBeUndefined()
  expect(cache.get(pageKey('p19999'), 'identity')).toBeDefined()
})

test('a page that is larger than the cache is returned, and not cached', async () => {
  const cache = createPageCache()
  const { body } = await cache.obtain(pageKey('p'), 'identity', async () => page(33 * MB))
  expect(body).toHaveLength(33 * MB)
  expect(cache.get(pageKey('p'), 'identity')).toBeUndefined()
})

test('a page with another status, or a failure, is not cached', async () => {
  const cache = createPageCache()
  expect(await cache.obtain(pageKey('p'), 'identity', async () => page(1, 503))).toMatchObject({
    status: 503,
  })
  expect(cache.get(pageKey('p'), 'identity')).toBeUndefined()
  const failing = cache.obtain(pageKey('p'), 'gzip', () => Promise.reject(new Error('Cannot render')))
  await expect(failing).rejects.toThrow('Cannot render')
  expect(await cache.obtain(pageKey('p'), 'identity', async () => page(1))).toMatchObject({ status: 200 })
  const missing = (status: number) =>
    cache.obtainMissing(pageKey('p'), 'identity', async () => page(1, status))
  expect(await missing(200)).toMatchObject({ status: 200 })
  expect(await missing(404)).toMatchObject({ status: 404 })
  expect(await missing(500)).toMatchObject({ status: 404 })
})

test('a page is returned even if it is evicted while it is rendered', async () => {
  const cache = createPageCache()
  const { promise, resolve } = Promise.withResolvers<FinishedPage>()
  const slow = [1, 2].map(() => cache.obtain(pageKey('slow'), 'identity', () => promise))
  for (let index = 0; index < 40; index += 1)
    await cache.obtain(pageKey(`p${index}`), 'identity', async () => page(MB))
  resolve(page(7))
  expect((await Promise.all(slow)).map(({ body }) => body.length)).toEqual([7, 7])
})

test('the pages of one project do not evict those of others, however many they are', async () => {
  const cache = createPageCache()
  await cache.obtain(pageKey('other', 'other'), 'identity', async () => page(MB))
  await cache.obtain(pageKey('about'), 'identity', async () => page(MB))
  for (let index = 0; index < 200; index += 1)
    await cache.obtain(pageKey(`p${index}`, 'large'), 'identity', async () => page(MB))
  const isCached = (key: string, project?: string) =>
    cache.get(pageKey(key, project), 'identity') !== undefined
  expect([isCached('other', 'other'), isCached('about')]).toEqual([true, true])
  const kept = Array.from({ length: 200 }, (_, index) => isCached(`p${index}`, 'large'))
  expect(kept.slice(-3)).toEqual([true, true, true])
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(4)
})
