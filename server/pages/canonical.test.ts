import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { WORLD_ENTRIES_PER_PAGE } from '#contract/world.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import type { MountedBuild } from './build.ts'
import { mountBuilt } from './build.ts'
import { canonicalPage } from './canonical.ts'
import { matcherOf } from './routes.ts'

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
    const match = matcherOf(build.publicPages.publicRoutes)(pathname)
    if (!match) return 'bypass'
    const page = canonicalPage(match, { pathname, searchParams })
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
    `/world/${P}?milestone=${M}&order=newest&page=2`,
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
    [`/world/${P}?order=oldest`, `/world/${P}`],
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

  it('is redirected permanently to its canonical form', async () => {
    const { url } = await published(0)
    const answer = await t.app.inject({ url: `${url}?page=1&utm_source=x` })
    expect([answer.statusCode, answer.headers.location]).toEqual([301, url])
    expect((await t.app.inject({ url: `${url}?utm_source=x` })).statusCode).toBe(200)
  })

  it.each(['.', ')', '),', '%20', '%29%2C', '%3E', '&gt;', '%E2%80%9D', '%22.', '*', '...', '%E2%80%8B'])(
    'is redirected to the address that was copied with %s after it',
    async (after) => {
      const { url } = await published(0)
      const [, project = ''] = /^.world.(.*)$/.exec(url) ?? []
      for (const path of [
        url,
        `${url}/entries/${project}`,
        `${url}/feed.atom`,
        '/about',
        '/invite/some_token-_',
      ]) {
        const { statusCode, headers } = await t.app.inject({ url: path + after })
        expect([statusCode, headers.location]).toEqual([301, path])
      }
    },
  )

  it.each(['.', ')', '%20', '),', '%3E'])(
    'keeps its milestone and its page with %s after them',
    async (after) => {
      const { url, milestoneId } = await published(25)
      for (const query of [`?milestone=${milestoneId}`, `?milestone=${milestoneId}&page=2`]) {
        const { statusCode, headers } = await t.app.inject({ url: url + query + after })
        expect([statusCode, headers.location]).toEqual([301, url + query])
      }
    },
  )

  it.each([
    ['/index.html', ''],
    ['/entries/', ''],
    ['/feed', '/feed.rss'],
    ['/feed/', '/feed.rss'],
    ['/RSS.xml', '/feed.rss'],
    ['/feed.xml', '/feed.rss'],
    ['/index.xml', '/feed.rss'],
    ['/feed/atom/', '/feed.atom'],
    ['/atom.xml', '/feed.atom'],
  ])('is redirected from the habit %s to what is there', async (habit, end) => {
    const { url } = await published(0)
    for (const page of [url, '/@ada-lovelace', '/world/the-canoe']) {
      const { statusCode, headers } = await t.app.inject({ url: `${page}${habit}?utm_source=x` })
      expect([statusCode, headers.location]).toEqual([301, `${page}${end}?utm_source=x`])
    }
  })

  it.each([
    ['/index.html', '/'],
    ['/@ada-lovelace.', '/@ada-lovelace'],
    ['/@ada-lovelace),', '/@ada-lovelace'],
  ])('is redirected from %s to %s', async (from, to) => {
    const { statusCode, headers } = await t.app.inject({ url: from })
    expect([statusCode, headers.location]).toEqual([301, to])
  })

  it.each(['/nothing', '/feed', '/@.', `/world/${P}/feed/x`, '/%5Cexample.org)', `/world/${P}x`])(
    'is not found at %s, and leads nowhere else',
    async (url) => {
      const { statusCode, headers } = await t.app.inject({ url })
      expect([statusCode, headers.location]).toEqual([404, undefined])
    },
  )

  it('is redirected temporarily to the project if the milestone or the tag does not exist', async () => {
    const { url } = await published(0)
    const answer = await t.app.inject({ url: `${url}?milestone=${M}` })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, url])
    const ofTag = await t.app.inject({ url: `${url}?tag=gone` })
    expect([ofTag.statusCode, ofTag.headers.location]).toEqual([302, url])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('is 404 past the last page, with one page for all page numbers', async () => {
    const { url, milestoneId } = await published()
    expect((await t.app.inject({ url: `${url}?page=2` })).statusCode).toBe(200)
    const missing = await t.app.inject({ url: `${url}?page=3` })
    expect(missing.statusCode).toBe(404)
    expect(missing.body).toContain('Page not found')
    expect(missing.headers['cache-control']).toBe('no-store')
    for (const query of ['page=4', 'page=999999', `milestone=${milestoneId}&page=9`]) {
      const answer = await t.app.inject({ url: `${url}?${query}` })
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
    }
    for (const query of [`milestone=${M}&page=9`, 'tag=gone&page=9'])
      expect((await t.app.inject({ url: `${url}?${query}` })).headers.location).toBe(url)
  })

  it('is 404 for entries that do not exist, with one page for all', async () => {
    const { url } = await published(0)
    const [one, other] = await Promise.all(
      [P, M].map((entryId) => t.app.inject({ url: `${url}/entries/${entryId}` })),
    )
    expect(one?.statusCode).toBe(404)
    expect(one?.body).toContain('Entry not found')
    expect(other?.body).toBe(one?.body)
  })
})
