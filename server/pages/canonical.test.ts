import { fastify } from 'fastify'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { WORLD_ENTRIES_PER_PAGE } from '#contract/world.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import type { MountedBuild } from './build.ts'
import { mountBuilt } from './build.ts'
import { canonicalPage } from './canonical.ts'

const P = '0199f1f0-0000-7000-8000-00000000000a'
const M = '0199f1f0-0000-7000-8000-00000000000b'

describe('the canonical form of a URL', () => {
  let build: MountedBuild
  const app = fastify()
  beforeAll(async () => {
    build = await mountBuilt(app)
  })
  afterAll(() => app.close())

  function canonical(url: string) {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const match = build.matchRoute(pathname)
    if (!match?.cachedParams) return 'bypass'
    const page = canonicalPage({ ...match, cachedParams: match.cachedParams }, { pathname, searchParams })
    return typeof page === 'string' ? page : [page.url, page.isCanonical]
  }

  test.each([
    '/',
    '/markdown-guide',
    '/login',
    `/world/${P}`,
    `/world/${P}?page=2`,
    `/world/${P}?milestone=${M}&page=2`,
    `/world/${P}?tag=cedar+strip&page=2`,
    `/world/${P}/entries/${M}`,
    `/world/${P}/feed.atom`,
  ])('%s is canonical', (url) => {
    expect(canonical(url)).toEqual([url, true])
  })

  test.each([
    ['/?from=mail', '/'],
    [`/world/${P}?utm_source=x`, `/world/${P}`],
    [`/world/${P}?a=b&page=2`, `/world/${P}?page=2`],
    [`/world/${P}/entries/${M}?page=2`, `/world/${P}/entries/${M}`],
    [`/world/${P}/feed.json?x`, `/world/${P}/feed.json`],
  ])('%s is as canonical as %s: unknown parameters are ignored', (url, own) => {
    expect(canonical(url)).toEqual([own, true])
  })

  test.each([
    [`/world/${P}?page=1`, `/world/${P}`],
    [`/world/${P}?page=02`, `/world/${P}?page=2`],
    [`/world/${P}?page=two`, `/world/${P}`],
    [`/world/${P}?page=2&page=3`, `/world/${P}?page=2`],
    [`/world/${P}?milestone=`, `/world/${P}`],
    [`/world/${P}?tag=%20`, `/world/${P}`],
    [`/world/${P}?tag=${'x'.repeat(51)}`, `/world/${P}`],
    [`/world/${P}?milestone=gone&page=3`, `/world/${P}?page=3`],
    [`/world/${P}?page=2&milestone=${M}`, `/world/${P}?milestone=${M}&page=2`],
    [`/world/${P}?milestone=${M.toUpperCase()}`, `/world/${P}?milestone=${M}`],
    [`/world/${P.toUpperCase()}`, `/world/${P}`],
    [`/World/${P}/`, `/world/${P}`],
    ['/LOGIN', '/login'],
  ])('%s is another spelling of %s', (url, own) => {
    expect(canonical(url)).toEqual([own, false])
  })

  test.each([
    ['/login?redirect=%2Fdashboard', 'bypass'],
    ['/dashboard', 'bypass'],
    [`/projects/${P}`, 'bypass'],
    ['/world/no-id', 'malformed'],
    [`/world/${P}/entries/no-id`, 'malformed'],
  ])('%s is %s', (url, what) => {
    expect(canonical(url)).toBe(what)
  })
})

describe('a request for a public project', () => {
  let t: TestApp
  let owner: Person
  /** The number of reads for rendering pages. */
  let reads = 0
  beforeAll(async () => {
    t = await testApp({}, { pages: 'built' })
    owner = await t.person()
  })
  afterAll(() => t.close())

  async function published(entries = WORLD_ENTRIES_PER_PAGE + 1) {
    const { _id } = await t.project(owner, { isPublic: true })
    const milestone = await t.milestone(owner, _id)
    for (let entry = 0; entry < entries; entry += 1) await t.entry(owner, milestone._id)
    return { url: `/world/${_id}`, milestoneId: milestone._id }
  }

  /** Returns a response, and the number of reads that rendered it. */
  async function counted() {
    const { db } = t.deps
    const app = await t.replica({
      db: new Proxy(db, {
        get(target, name) {
          // A page reads everything by one statement, or in one snapshot; whether it is public is asked each time.
          if (name === 'startTransaction' || name === 'transaction') reads += 1
          if (name === 'executeQuery')
            return (query: CompiledQuery) => {
              if (query.sql.includes('entries')) reads += 1
              return db.executeQuery(query)
            }
          const value = Reflect.get(target, name, target) as unknown
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    })
    reads = 0
    return app
  }

  it('is redirected permanently to its canonical form', async () => {
    const { url } = await published(0)
    const answer = await t.app.inject({ url: `${url}?page=1&utm_source=x` })
    expect([answer.statusCode, answer.headers.location]).toEqual([301, url])
    expect((await t.app.inject({ url: `${url}?utm_source=x` })).statusCode).toBe(200)
  })

  it('is redirected temporarily to the project if the milestone or the tag does not exist', async () => {
    const { url } = await published(0)
    const answer = await t.app.inject({ url: `${url}?milestone=${M}` })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, url])
    const ofTag = await t.app.inject({ url: `${url}?tag=gone` })
    expect([ofTag.statusCode, ofTag.headers.location]).toEqual([302, url])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('is 404 past the last page, with one rendering for all page numbers', async () => {
    const { url, milestoneId } = await published()
    const app = await counted()
    const last = await app.inject({ url: `${url}?page=2` })
    expect([last.statusCode, reads > 0]).toEqual([200, true])
    const missing = await app.inject({ url: `${url}?page=3` })
    expect(missing.statusCode).toBe(404)
    expect(missing.body).toContain('Page not found')
    expect(missing.headers['cache-control']).toBe('no-store')
    reads = 0
    for (const query of ['page=3', 'page=4', 'page=999999', `milestone=${milestoneId}&page=9`]) {
      const answer = await app.inject({ url: `${url}?${query}` })
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
    }
    expect(reads).toBe(0)
    await app.close()
  })

  it('is 404 for entries that do not exist, with one rendering for all', async () => {
    const { url } = await published(0)
    const app = await counted()
    expect((await app.inject({ url: `${url}/entries/${P}` })).body).toContain('Entry not found')
    reads = 0
    for (const entryId of [P, M]) {
      expect((await app.inject({ url: `${url}/entries/${entryId}` })).statusCode).toBe(404)
    }
    expect(reads).toBe(0)
    await app.close()
  })
})
