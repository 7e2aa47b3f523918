import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { overloaded } from '#server/platform/api/errors.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { sendForm } from '#server/testing/form.ts'
import { testPages } from './testing.ts'

let t: TestApp
let addresses: Record<string, string>
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  const person = await t.person()
  const { _id: projectId } = await t.project(person, { isPublic: true })
  const { _id: milestoneId } = await t.milestone(person, projectId)
  const sent = await sendForm(t.app, {
    url: `/api/milestones/${milestoneId}/entries`,
    as: person,
    fields: { title: 'A bow', content: 'Bent over steam' },
    image: { bytes: await picture(40, 30).png().toBuffer() },
  })
  const signIn = await t.app.inject('/login')
  addresses = {
    'public page': `/world/${projectId}`,
    'page for signed-in people': '/dashboard',
    'page of an invitation': '/invite/secret',
    'page that is missing': '/nowhere',
    script: /\/assets\/client-[\w-]+\.js/.exec(signIn.body)?.[0] ?? '',
    file: '/favicon.svg',
    feed: `/world/${projectId}/feed.atom`,
    'picture for shared links': '/share.png',
    image: sent.json().imageURL,
    'answer of the API': '/api/projects/stats',
    'error of the API': '/api/projects',
    'call that is missing': '/api/nothing',
    description: '/api/openapi.json',
    health: '/healthz',
  }
})
afterAll(() => t.close())

const LISTED = [
  'content-security-policy',
  'strict-transport-security',
  'x-frame-options',
  'x-content-type-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'set-cookie',
  'server',
  'x-powered-by',
]

const NOTHING = "default-src 'none';frame-ancestors 'none'"
const SEALED = "default-src 'none'; frame-ancestors 'none'; sandbox"

const page = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'self'; script-src 'self'.*; frame-ancestors 'none'/,
  ),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
}
const file = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const api = {
  'content-security-policy': NOTHING,
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

describe('the security headers', () => {
  it.each<[string, Record<string, unknown>]>([
    ['public page', page],
    ['page for signed-in people', page],
    ['page of an invitation', { ...page, 'referrer-policy': 'strict-origin' }],
    ['page that is missing', page],
    ['script', file],
    ['file', file],
    // Feed readers in a browser may fetch public resources, like anybody.
    ['feed', { ...page, 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }],
    [
      'picture for shared links',
      { ...api, 'content-security-policy': SEALED, 'cross-origin-resource-policy': 'cross-origin' },
    ],
    ['image', { ...api, 'content-security-policy': SEALED, 'cross-origin-resource-policy': 'cross-origin' }],
    ['answer of the API', api],
    ['error of the API', api],
    ['call that is missing', api],
    ['description', api],
    ['health', { 'x-content-type-options': 'nosniff' }],
  ])('of a %s', async (kind, expected) => {
    const { headers } = await t.app.inject({
      url: addresses[kind] ?? '',
      headers: { origin: 'https://elsewhere.example' },
    })
    const listed = LISTED.filter((name) => headers[name] !== undefined)
    expect(Object.fromEntries(listed.map((name) => [name, headers[name]]))).toEqual(expected)
  })

  it('do not allow pages of other origins to read the API with any request', async () => {
    for (const method of ['OPTIONS', 'GET', 'POST'] as const) {
      const { headers } = await t.app.inject({
        method,
        url: '/api/projects',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('a page of an overloaded server', () => {
  it('is small, reloads itself, loads no resources and is not cached', async () => {
    const { app } = await testPages({}, { admit: (_request, _reply, done) => done(overloaded()) })
    const busy = await app.inject('/markdown-guide')
    await app.close()
    expect(busy.statusCode).toBe(503)
    expect(busy.headers).toMatchObject({
      'retry-after': '2',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'sha256-"),
    })
    expect(busy.body).toContain('One moment, please')
    expect(busy.body).toContain('The server is busy right now. Please try again in a moment.')
    expect(busy.body).not.toMatch(/<script|<img|<link/)
    expect(busy.body.length).toBeLessThan(1_000)
  })

  it('is accompanied by the files that open pages still request', async () => {
    const { app } = await testPages({}, { admit: (_request, _reply, done) => done(overloaded()) })
    expect((await app.inject('/login')).statusCode).toBe(503)
    expect((await app.inject('/favicon.svg')).statusCode).toBe(200)
    const { body } = await t.app.inject('/login')
    const [script = ''] = body.match(/\/assets\/[\w.-]+\.js/) ?? []
    const { statusCode, headers } = await app.inject(script)
    await app.close()
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('javascript')])
  })
})

describe('the policy of pages, by the rules of csp_evaluator', () => {
  it('has no finding except that our own scripts are allowed by URL', async () => {
    for (const kind of ['public page', 'page for signed-in people', 'page that is missing']) {
      const { headers } = await t.app.inject(addresses[kind] ?? '')
      const { csp } = new CspParser(String(headers['content-security-policy']))
      const found = new CspEvaluator(csp)
        .evaluate()
        .filter(({ severity }) => severity <= Severity.MEDIUM_MAYBE)
      expect(found.map(({ directive, value }) => `${directive} ${value}`)).toEqual(["script-src 'self'"])
    }
  })
})
