import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError, databaseUnavailable } from '#server/platform/api/errors.ts'
import { testPages } from './testing.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

let app: FastifyInstance
beforeAll(async () => {
  app = (await testPages()).app
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
describe('the status of a page', () => {
  it.each(['/', '/login', '/register', '/markdown-guide', '/login/?redirect=%2F'])(
    '%s is rendered for a visitor',
    async (url) => {
      const page = await get(url)
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.body).toMatch(/<h1[ >]/)
      expect(page.body).toMatch(/<title>[^<]+<\/title>/)
    },
  )

  it.each([
    '/dashboard',
    '/collaborations',
    `/projects/${ID}`,
    `/projects/${ID}/milestones/${ID}/entries/${ID}`,
  ])('%s shows nothing but a spinner until the session is known', async (url) => {
    const page = await get(url)
    expect(page.statusCode).toBe(200)
    const main = /<main.*<\/main>/s.exec(page.body)?.[0]
    expect(main).toMatch(/<output[^>]*>.*Loading<\/output>/)
    expect(main).not.toContain('<h1')
  })

  it.each([
    '/nope',
    '/world',
    '/projects',
    '/dashboard/x',
    '/%',
    '/100%',
    '/%ff',
    '/%00',
    '/%0d%0aSet-Cookie:%20x=1',
    '/.git/config',
    '/.env',
    '//evil.example',
  ])('%s is the 404 page', async (url) => {
    const page = await get(url)
    expect(page.statusCode).toBe(404)
    expect(page.body).toContain('Page Not Found')
    expect(page.body).toContain('Back to Home')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(page.headers.etag).toBeUndefined()
  })

  it.each([`/world/${ID}`, `/world/${ID}/entries/${ID}`, '/world/no-id'])(
    '%s is 404 while nothing public is there',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404)
    },
  )

  it.each([
    ['not_found', 404],
    ['expired', 410],
  ] as const)('of an invitation that is %s is %i, and says why', async (code, status) => {
    const refuse = () => {
      throw new AppError(code, 'Nobody is invited by this link')
    }
    const { app: pages, logged } = await testPages({ acceptInvitation: refuse })
    const page = await pages.inject('/invite/some-token')
    await pages.close()
    expect(page.statusCode).toBe(status)
    expect(page.body).toContain('Invalid Invitation')
    expect(page.body).toContain('Nobody is invited by this link')
    expect(logged).toEqual([])
  })

  it('of an invitation is 200, shows the project, sends no referrer, and is stored nowhere', async () => {
    const invitation = {
      projectTitle: 'A canoe',
      projectDescription: 'Strip by strip',
      role: 'editor',
      inviter: { name: 'Ada Lovelace' },
      project: {
        _id: '0199f1f0-0000-7000-8000-000000000000',
        members: [{ name: 'Ada Lovelace' }],
        memberCount: 1,
        milestones: [{ title: 'Lumber', completed: true }],
        milestoneCount: 1,
        lastEntry: null,
      },
      requiresAuth: true,
    }
    const { app: pages } = await testPages({ acceptInvitation: () => invitation })
    const page = await pages.inject('/invite/some-token')
    await pages.close()
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('A canoe')
    expect(page.body).toContain('Strip by strip')
    expect(page.body).toContain('href="/login?redirect=%2Finvite%2Fsome-token"')
    expect(page.body).toContain('href="/register?redirect=%2Finvite%2Fsome-token"')
    expect(page.body).toContain('<meta name="robots" content="noindex"')
    expect(page.headers).toMatchObject({
      'referrer-policy': 'strict-origin',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
  })

  it('of an invalid URL is not logged as an error', async () => {
    const { app: pages, logged } = await testPages()
    for (const address of ['/%0a', '/nope%0D%0Ainfo:%20all%20well', '/world/%0a', '/%e2%80%a8'])
      expect((await pages.inject(address)).statusCode).toBe(404)
    await pages.close()
    expect(logged).toEqual([])
  })

  it('is 503 with Retry-After while the database is unavailable', async () => {
    const away = () => {
      throw databaseUnavailable()
    }
    const { app: pages, logged } = await testPages({ readWorldPage: away })
    const page = await pages.inject(`/world/${ID}`)
    await pages.close()
    expect(page.statusCode).toBe(503)
    expect(page.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
    expect(page.body).toContain('One moment, please')
    expect(logged).toEqual([])
  })

  it('is never an internal error, whatever the URL', async () => {
    const deps = [
      '/',
      '%',
      '%00',
      '%2f',
      '%ff',
      '..',
      '\\',
      '?',
      '#',
      ';',
      'world',
      'login',
      '.data',
      ID,
      ' ',
      'é',
    ]
    const address = fc.oneof(
      fc.array(fc.constantFrom(...deps)).map((all) => all.join('')),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(address, async (text) => {
        const { statusCode } = await app.inject({ url: { pathname: `/${text}` } as never })
        expect([200, 202, 301, 302, 404]).toContain(statusCode)
      }),
      { numRuns: 60 },
    )
    expect((await get(`/${'a'.repeat(12_000)}`)).statusCode).toBe(404)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const)(
    '%s is refused',
    async (method) => {
      for (const url of ['/', '/dashboard', '/nope', '/assets/x.js']) {
        const response = await app.inject({ method, url, headers: { 'content-type': 'x/y' }, payload: 'x' })
        expect(response.statusCode).toBe(405)
        expect(response.headers.allow).toBe('GET, HEAD')
      }
    },
  )

  it('HEAD returns the response of GET without the body', async () => {
    const [head, page] = [await app.inject({ method: 'HEAD', url: '/' }), await get('/')]
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers).toMatchObject({
      etag: page.headers.etag,
      'content-length': page.headers['content-length'],
    })
  })
})

describe('a page that fails', () => {
  it('shows a friendly page without internals, and is logged with the id of the request', async () => {
    const failing = await testPages({
      readWorldPage: () => {
        throw new Error('the disk is on fire')
      },
    })
    const page = await failing.app.inject({ url: `/world/${ID}` })
    expect(page.statusCode).toBe(500)
    expect(page.body).toContain('Something went wrong')
    expect(page.body).toContain('Failed to fetch public project')
    expect(page.body).not.toContain('disk')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(failing.logged).toHaveLength(1)
    expect(failing.logged[0]).toMatchObject({
      reqId: expect.any(String),
      err: { message: 'the disk is on fire' },
    })
    await failing.app.close()
  })
})
