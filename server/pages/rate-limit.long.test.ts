import { expect, it } from 'vitest'
import { REQUESTS_PER_MINUTE } from '#server/platform/limits/requests.ts'
import { testPages } from './testing.ts'

const P = '0198c0de-0000-7000-8000-000000000001'

it('a network that requests too many pages gets a plain page with Retry-After, and can still fetch files', async () => {
  const { app } = await testPages({}, { rateLimit: true })
  const { body } = await app.inject({ url: '/' })
  const [script = ''] = body.match(/\/assets\/entry\.client-[\w-]+\.js/) ?? []
  for (let sent = 1; sent < REQUESTS_PER_MINUTE; sent += 1) await app.inject({ url: '/' })
  for (const url of ['/', `/world/${P}`, `/world/${P}/feed.atom`, '/nope']) {
    const refused = await app.inject({ url })
    expect([url, refused.statusCode]).toEqual([url, 429])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(refused.body).toContain('Too many requests. Please wait a moment and try again.')
  }
  expect((await app.inject({ url: script })).statusCode).toBe(200)
  await app.close()
})

it('without limits, nothing is refused', async () => {
  const { app } = await testPages()
  for (let sent = 0; sent < REQUESTS_PER_MINUTE; sent += 1) await app.inject({ url: '/' })
  expect((await app.inject({ url: '/' })).statusCode).toBe(200)
  await app.close()
})
