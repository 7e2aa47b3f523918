import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { RunCall } from '#contract/rendering.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { MountedBuild } from './build.ts'
import { mountBuilt } from './build.ts'
import { missingUrl } from './canonical.ts'
import { testPages } from './testing.ts'

const NIL = '00000000-0000-0000-0000-000000000000'
const P = '0199f1f0-0000-7000-8000-000000000001'
const Q = '0199f1f0-0000-7000-8000-000000000002'
const E = '0199f1f0-0000-7000-8000-000000000003'

const nothingPublic = { version: async () => null, find: async () => 'found' as const }

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
        [`/world/${_id}.data`, `/world/${P}.data`],
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
  /** Counts the renderings of pages that read a project, and of all pages. */
  async function counting(errors: Error[] = []) {
    const counts = { project: 0, any: 0 }
    const readWorldPage = () => {
      counts.project += 1
      throw errors.shift() ?? notFound('Project')
    }
    const readEntryOptions = () => {
      counts.any += 1
      return { images: false }
    }
    const { app } = await testPages({ readWorldPage, readEntryOptions }, { publicPages: nothingPublic })
    const statusOf = async (url: string) => (await app.inject({ url })).statusCode
    return { app, counts, statusOf }
  }

  it('is rendered once for all projects', async () => {
    const { app, counts, statusOf } = await counting()
    for (const url of [`/world/${P}`, `/world/${Q}`, `/world/${P}?page=3&utm_source=x`, '/world/no-id'])
      expect(await statusOf(url)).toBe(404)
    expect(counts.project).toBe(1)
    await app.close()
  })

  it('is rendered once for all unknown URLs', async () => {
    const { app, counts, statusOf } = await counting()
    for (const url of ['/nope', '/wp-login.php?x=1', '/deep/er/still', '/%F0%9F%8E%89', '/world'])
      expect(await statusOf(url)).toBe(404)
    expect(counts.any).toBe(1)
    expect(await statusOf('/dashboard')).toBe(200)
    await app.close()
  })

  it('is not cached because of an outage', async () => {
    const { app, statusOf } = await counting([new AppError('unavailable', 'Busy', { retryAfter: 5 })])
    expect([await statusOf(`/world/${P}`), await statusOf(`/world/${P}`)]).toEqual([503, 404])
    await app.close()
  })
})

describe('the text of a 404 page', () => {
  let build: MountedBuild
  const app = fastify()
  beforeAll(async () => {
    build = await mountBuilt(app)
  })
  afterAll(() => app.close())

  async function rendered(address: string) {
    const runCall = async (name: string) => {
      if (name === 'readIdentityOptions') return { provider: 'local', google: false, sendsMail: false }
      if (name === 'readEntryOptions') return { images: false }
      throw notFound('Project')
    }
    const visit = {
      runCall: runCall as RunCall,
      nonce: 'mark',
      report: (error: unknown) => expect.fail(String(error)),
    }
    const page = await build.render(new URL(`http://localhost:3000${address}`), visit, AbortSignal.any([]))
    return { status: page.status, headers: Object.fromEntries(page.headers), text: await page.text() }
  }

  test.each([
    [`/world/${P}`, `/world/${NIL}`],
    [`/world/${P}?milestone=${Q}&page=2`, `/world/${NIL}`],
    [`/world/${P}/entries/${E}?page=2`, `/world/${NIL}/entries/${NIL}`],
    [`/world/${P}/feed.json`, `/world/${NIL}/feed.json`],
    ['/nope', '/nowhere'],
    ['/wp-admin/install.php?step=%22%3E1', '/nowhere'],
  ])('does not depend on its URL: %s is as %s', async (address, missing) => {
    const { pattern } = build.matchRoute(new URL(address, 'http://localhost').pathname) ?? {}
    expect(pattern === '*' ? '/nowhere' : missingUrl(pattern ?? '')).toBe(missing)
    const page = await rendered(address)
    expect(page.status).toBe(404)
    expect(page).toEqual(await rendered(missing))
  })
})
