import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#server/platform/api/errors.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { testPages } from './testing.ts'

const P = '0199f1f0-0000-7000-8000-000000000001'
const Q = '0199f1f0-0000-7000-8000-000000000002'
const E = '0199f1f0-0000-7000-8000-000000000003'

const nothingPublic = async () => null

describe('a missing page', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp({}, { pages: 'built' })
  })
  afterAll(() => t.close())

  it('cannot be distinguished from a private one by status, headers or bytes', async () => {
    const owner = await t.person()
    const { _id } = await t.project(owner, { title: 'Secret' })
    const { _id: entryId } = await t.entry(owner, (await t.milestone(owner, _id))._id)
    const get = async (url: string, encoding: string) => {
      const { statusCode, headers, rawPayload } = await t.app.inject({
        url,
        headers: { 'accept-encoding': encoding },
      })
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return { statusCode, headers: rest, bytes: rawPayload.toString('base64') }
    }
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (const [hidden, absent] of [
        [`/world/${_id}`, `/world/${P}?milestone=${Q}&page=2`],
        [`/world/${_id}/entries/${entryId}`, `/world/${P}/entries/${E}`],
        [`/world/${_id}/feed.atom`, `/world/${P}/feed.atom`],
        [`/world/${_id}/story`, `/world/${P}/story?entry=${E}`],
        [`/world/${_id}/story/print`, `/world/${P}/story/print`],
      ] as const) {
        const seen = await get(hidden, encoding)
        expect([seen.statusCode, seen.headers['cache-control'], seen.headers.etag]).toEqual([
          404,
          'no-store',
          undefined,
        ])
        expect(await get(absent, encoding)).toEqual(seen)
      }
    }
  })

  it('links to its project, if that is public', async () => {
    const owner = await t.person()
    const { _id } = await t.project(owner, { title: 'A cedar canoe', isPublic: true })
    const { statusCode, body } = await t.app.inject({ url: `/world/${_id}/entries/${E}` })
    expect(statusCode).toBe(404)
    expect(body).toContain('A cedar canoe')
  })

  it('exists as soon as it is published', async () => {
    const owner = await t.person()
    const { _id } = await t.project(owner)
    const url = `/world/${_id}`
    expect((await t.app.inject({ url })).statusCode).toBe(404)
    const body = { title: 'A kayak', description: 'y', isPublic: true }
    await t.call('updateProject', { params: { projectId: _id }, body }, { as: owner })
    expect((await t.app.inject({ url })).statusCode).toBe(200)
  })
})

describe('a 404 page', () => {
  async function pages(results: Parameters<typeof testPages>[0] = {}) {
    const { app } = await testPages(results, { version: nothingPublic })
    return { app, get: (url: string) => app.inject({ url }) }
  }

  it.each([
    [
      [
        `/world/${P}`,
        `/world/${Q}`,
        `/world/${P}?page=3&utm_source=x`,
        '/world/no-id',
        `/world/${P}/feed.json`,
      ],
    ],
    [[`/world/${P}/entries/${E}`, `/world/${Q}/entries/${E}?page=2`]],
    [['/nope', '/wp-login.php?x=1', '/deep/er/still', '/%F0%9F%8E%89', '/world']],
  ])('does not depend on its URL: %j', async (urls) => {
    const { app, get } = await pages()
    const found = await Promise.all(urls.map(get))
    expect(new Set(found.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    expect(new Set(found.map(({ body }) => body)).size).toBe(1)
    expect((await get('/dashboard')).statusCode).toBe(200)
    await app.close()
  })

  it('is not cached because of an outage', async () => {
    const errors = [new AppError('unavailable', 'Busy', { retryAfter: 5 })]
    const readEntryOptions = () => {
      const [error] = errors.splice(0)
      if (error) throw error
      return { images: false }
    }
    const { app, get } = await pages({ readEntryOptions })
    const statusOf = async () => (await get(`/world/${P}`)).statusCode
    const first = await statusOf()
    // Requests of one turn of the event loop share one reading of the settings.
    await new Promise(setImmediate)
    expect([first, await statusOf()]).toEqual([503, 404])
    await app.close()
  })
})
