import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPages } from './testing.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = (await testPages()).app
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
describe('the ETag of a page', () => {
  it('is stable while the page is unchanged', async () => {
    const first = await get('/')
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/)
    expect((await get('/')).headers.etag).toBe(first.headers.etag)
    expect((await get('/login')).headers.etag).not.toBe(first.headers.etag)
  })

  it('returns 304 without a body and without a policy, so that the cached page keeps its own', async () => {
    const { etag } = (await get('/')).headers
    const again = await get('/', { 'if-none-match': `"x", ${etag}` })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers).toMatchObject({
      etag,
      'cache-control': 'no-cache, no-transform',
      vary: 'accept-encoding',
    })
    expect(again.headers['content-security-policy']).toBeUndefined()
    expect((await get('/', { 'if-none-match': '"another"' })).statusCode).toBe(200)
  })
})

describe('the fonts of a page', () => {
  it('are loaded after the first paint, which those of the app may use if they have come', async () => {
    const landing = (await get('/')).body
    expect(landing).toContain('<html lang="en" data-fonts="later">')
    expect(landing).not.toContain('as="font"')
    const signIn = (await get('/dashboard')).body
    expect(signIn).toContain('<html lang="en" data-fonts="later">')
    expect(signIn).toMatch(/<link[^>]* as="font"/)
  })
})

describe('the policy of a page', () => {
  it('allows exactly the scripts of the page', async () => {
    const page = await get('/')
    const policy = String(page.headers['content-security-policy'])
    const inline = [
      ...page.body.matchAll(
        /<script((?![^>]* (?:src=|type="application\/(?:ld\+)?json"))[^>]*)>(.*?)<\/script>/gs,
      ),
    ]
    const hashes = inline.map(([, , text = '']) => createHash('sha256').update(text).digest('base64'))
    expect(hashes).toHaveLength(1)
    for (const hash of hashes) expect(policy).toContain(`'sha256-${hash}'`)
    expect(policy.match(/'sha256-/g)).toHaveLength(new Set(hashes).size)
    expect(page.body).not.toMatch(/nonce|<style/)
    expect(page.body).not.toMatch(/<[^>]+ (?:style|on\w+)="/)
  })

  it('allows no other origin except the players of videos', async () => {
    const policy = String((await get('/login')).headers['content-security-policy'])
    expect(policy).not.toMatch(/google|firebase/)
    expect(policy).toMatch(/script-src 'self'(?: 'sha256-[^ ]+')+;/)
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com;")
  })

  it('shows diagrams in a frame with an opaque origin, which may load only its own two scripts', async () => {
    expect(String((await get('/')).headers['x-frame-options'])).toBe('DENY')
    for (const file of ['frame.html', 'frame.js', 'mermaid.js']) {
      const { statusCode, headers } = await get(`/diagrams/${file}`)
      expect([file, statusCode, headers['x-frame-options']]).toEqual([file, 200, undefined])
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self';")
      expect(policy).toContain("frame-ancestors 'self'; sandbox allow-scripts")
    }
  })

  it('allows the PeerTube hosts that the operator has configured', async () => {
    const { app: open } = await testPages({}, { videoHosts: ['tube.example'] })
    const policy = String((await open.inject('/login')).headers['content-security-policy'])
    expect(policy).toContain(
      "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com https://tube.example;",
    )
    await open.close()
  })

  it('allows what a sign-in with Firebase needs, if Firebase is the provider', async () => {
    const firebase = {
      projectId: 'milepost-1a2b3',
      apiKey: 'public-key',
      authDomain: 'milepost-1a2b3.firebaseapp.com',
    }
    const options = { provider: 'firebase', google: true, sendsMail: false, firebase }
    const { app: hosted } = await testPages(
      { readIdentityOptions: () => options },
      { authDomain: firebase.authDomain },
    )
    const page = await hosted.inject('/login')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/script-src 'self'(?: 'sha256-[^ ]+')+ https:\/\/apis\.google\.com;/)
    expect(policy).toContain(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com;",
    )
    expect(policy).toContain(
      "frame-src 'self' https://milepost-1a2b3.firebaseapp.com https://www.youtube-nocookie.com https://player.vimeo.com;",
    )
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(page.body).toContain('milepost-1a2b3')
    await hosted.close()
  })

  it('has HSTS only if the server uses https', async () => {
    expect((await get('/')).headers['strict-transport-security']).toBeUndefined()
    const secure = await testPages({}, { publicUrl: 'https://milepost.example' })
    const page = await secure.app.inject({ url: '/' })
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(page.headers['content-security-policy']).toContain('upgrade-insecure-requests')
    await secure.app.close()
  })

  it('is sent with the other security headers', async () => {
    expect((await get('/')).headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })
})

describe('the content of pages', () => {
  it('links the registration and the about page to the terms of the operator', async () => {
    const termsUrl = 'https://example.org/terms'
    const options = { provider: 'local', google: false, sendsMail: false, termsUrl }
    const { app: withTerms } = await testPages({ readIdentityOptions: () => options })
    for (const path of ['/register', '/about']) {
      expect((await withTerms.inject(path)).body).toContain(`href="${termsUrl}"`)
      expect((await get(path)).body).not.toContain(termsUrl)
    }
    await withTerms.close()
  })

  it('shows the terms that administrators have written, or links to the operator’s, or does neither', async () => {
    const options = { provider: 'local', google: false, sendsMail: false }
    const terms = {
      text: '*Be kind*',
      html: '<p><em>Be kind</em></p>',
      changedAt: '2026-11-02T10:00:00.000Z',
    }
    const of = (termsUrl: string) =>
      testPages({ readIdentityOptions: () => ({ ...options, termsUrl }), readTerms: () => terms })
    const { app: own } = await of('/terms')
    const shown = await own.inject('/terms')
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain(terms.html)
    expect(shown.body).toContain('Nov 2, 2026')
    expect((await own.inject('/register')).body).toContain('href="/terms"')
    await own.close()
    const { app: elsewhere } = await of('https://example.org/terms')
    const { statusCode, headers } = await elsewhere.inject('/terms')
    expect([statusCode, headers.location]).toEqual([302, 'https://example.org/terms'])
    await elsewhere.close()
    expect((await get('/terms')).statusCode).toBe(404)
  })

  it('shows the announcement as text on the sign-in pages, and on no other page for visitors', async () => {
    const announcement = { id: 'one', text: '<b>Away</b> on Sunday' }
    const options = { provider: 'local', google: false, sendsMail: false, announcement }
    const { app: announcing } = await testPages({ readIdentityOptions: () => options })
    const shown = '<bdi>&lt;b&gt;Away&lt;/b&gt; on Sunday</bdi>'
    for (const path of ['/login', '/register', '/forgot-password'])
      expect((await announcing.inject(path)).body).toContain(shown)
    for (const path of ['/', '/about', '/markdown-guide'])
      expect((await announcing.inject(path)).body).not.toContain('<bdi>')
    await announcing.close()
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, deflate', undefined],
  ])('a page requested with %s', async (accepted, encoding) => {
    const page = await get('/markdown-guide', { 'accept-encoding': accepted })
    expect(page.headers['content-encoding']).toBe(encoding)
    expect(page.headers.vary).toBe('accept-encoding')
    expect(Number(page.headers['content-length'])).toBe(page.rawPayload.length)
  })

  it('files are precompressed and immutable', async () => {
    const [script = ''] = (await get('/login')).body.match(/\/assets\/vendor-[\w-]+\.js/) ?? []
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['', undefined],
    ] as const) {
      const file = await get(script, { 'accept-encoding': accepted })
      expect(file.headers['content-encoding']).toBe(encoding)
      expect(file.headers['content-type']).toMatch(/javascript/)
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(file.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('icons are sent without the code of their library', async () => {
    const [script = ''] = (await get('/login')).body.match(/\/assets\/app-[\w-]+\.js/) ?? []
    const { body } = await get(script)
    expect(body.includes('strokeLinecap')).toBe(true)
    expect(body.includes('absoluteStrokeWidth')).toBe(false)
  })

  it('a missing file returns a short, uncacheable 404', async () => {
    for (const url of [
      '/assets/gone.js',
      '/assets/',
      '/assets/..%2f..%2fserver/index.js',
      '/.vite/manifest.json',
    ]) {
      const { statusCode, headers } = await get(url)
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 404, 'no-store'])
    }
  })
})
