import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANNOUNCEMENT_MAX, TERMS_MAX } from '#contract/administration.ts'
import type { Client } from '#server/platform/limits/fair-queue.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { createTexts } from './texts.ts'

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await testApp()
  admin = await t.person({ name: 'Grace Hopper' })
  await t.pool.query('update users set is_admin = true where id = $1', [admin.userId])
})
afterAll(() => t.close())

const announce = (text: string | null) => t.call('updateAnnouncement', { body: { text } }, { as: admin })
const write = (text: string | null) => t.call('updateTerms', { body: { text } }, { as: admin })
const shown = () => t.call('readIdentityOptions', {}, {})
const lastAudit = async () => (await t.call('listAuditLog', {}, { as: admin })).events[0]

describe('the announcement', () => {
  it('is shown to everybody as it was typed, with an id that changes with the text, until it is removed', async () => {
    expect(await shown()).not.toHaveProperty('announcement')
    const text = '<img src=x onerror=alert(1)> [Away](javascript:alert(1)) on Sunday'
    expect(await announce(`  ${text} `)).toMatchObject({ announcement: text })
    expect(await lastAudit()).toMatchObject({
      kind: 'announcement_changed',
      actor: { name: 'Grace Hopper' },
      details: {},
    })
    const first = (await shown()).announcement
    expect(first?.text).toBe(text)
    await announce(text)
    const second = (await shown()).announcement
    expect(second?.text).toBe(text)
    expect(second?.id).not.toBe(first?.id)
    expect(await announce(null)).toMatchObject({ announcement: null })
    expect(await shown()).not.toHaveProperty('announcement')
    expect(await lastAudit()).toMatchObject({ details: { isRemoved: true } })
  })

  it('is one short line that is not blank', async () => {
    const refusals = ['', ' ', 'a\nb', 'a\u2028b', 'a\u0000b', '\ud800', 'a'.repeat(ANNOUNCEMENT_MAX + 1)]
    for (const text of refusals) {
      const refused = await t.refused('updateAnnouncement', { body: { text } }, { as: admin })
      expect(refused).toMatchObject({ status: 400, code: 'invalid' })
    }
    await announce('🛠'.repeat(ANNOUNCEMENT_MAX))
    await announce(null)
  })

  it('reaches pages of other servers within five seconds', async () => {
    const replica = await t.replica({ texts: createTexts(t.deps) })
    const there = async () => (await replica.inject('/api/identity')).json<{ announcement?: object }>()
    expect(await there()).not.toHaveProperty('announcement')
    await announce('Back at noon')
    t.later(5_001)
    expect(await there()).toMatchObject({ announcement: { text: 'Back at noon' } })
    await announce(null)
    await replica.close()
  })
})

describe('a change that was based on an older version', () => {
  const versions = async () => (await t.call('readInstance', {}, { as: admin })).versions
  const based = (version: number) => ({ as: admin, headers: { 'if-match': `"${version}"` } })

  it('of the announcement is refused with its current text', async () => {
    const { announcement: before } = await versions()
    const { versions: after } = await t.call(
      'updateAnnouncement',
      { body: { text: 'Away on Sunday' } },
      based(before),
    )
    expect(after.announcement).toBe(before + 1)
    for (const text of ['Away on Monday', null])
      expect(await t.refused('updateAnnouncement', { body: { text } }, based(before))).toMatchObject({
        status: 412,
        code: 'stale',
        current: { text: 'Away on Sunday', version: before + 1 },
      })
    const unconditional = await announce(null)
    expect(unconditional).toMatchObject({ announcement: null, versions: { announcement: before + 2 } })
  })

  it('of the terms is refused, and a change of the announcement does not make the terms outdated', async () => {
    const { terms: before } = await versions()
    await announce(null)
    await t.call('updateTerms', { body: { text: 'Be kind' } }, based(before))
    expect(await t.call('readTerms', {}, {})).toMatchObject({ text: 'Be kind', version: before + 1 })
    const current = { text: 'Be kind', version: before + 1 }
    for (const text of ['Be kinder', null])
      expect(await t.refused('updateTerms', { body: { text } }, based(before))).toMatchObject({
        status: 412,
        current,
      })
    const { versions: after } = await t.call('updateTerms', { body: { text: null } }, based(before + 1))
    expect(after.terms).toBe(before + 2)
    expect(await t.refused('updateTerms', { body: { text: 'Be kind' } }, based(before + 1))).toMatchObject({
      current: { text: null, version: before + 2 },
    })
  })

  it('of the registration mode is refused, even before one was chosen', async () => {
    const { registration: before } = await versions()
    expect(before).toBe(1)
    const choose = (mode: 'open' | 'closed') => ({ body: { mode, domains: ['Example.org'] } })
    await t.call('updateRegistration', choose('closed'), based(1))
    expect(await t.refused('updateRegistration', choose('open'), based(1))).toMatchObject({
      status: 412,
      current: { mode: 'closed', domains: ['example.org'], version: 2 },
    })
    const { versions: after } = await t.call('updateRegistration', choose('open'), based(2))
    expect(after.registration).toBe(3)
  })

  it('succeeds only once if sent concurrently', async () => {
    const { announcement: version } = await versions()
    const writes = Array.from({ length: 6 }, (_, writer) =>
      t.app.inject({
        method: 'PUT',
        url: '/api/admin/announcement',
        headers: { ...admin.headers, 'if-match': `"${version}"` },
        payload: { text: `Writer ${writer}` },
      }),
    )
    const statuses = (await Promise.all(writes)).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412])
    await announce(null)
  })
})

describe('the terms', () => {
  it('are Markdown, rendered like entries, at a path to which the registration form links', async () => {
    expect(await t.refused('readTerms', {}, {})).toMatchObject({ status: 404 })
    expect(await shown()).not.toHaveProperty('termsUrl')
    const text = '# Be *kind*\n\n<script>alert(1)</script> [x](javascript:alert(1))'
    expect(await write(text)).toMatchObject({ termsFrom: 'administrators' })
    expect(await shown()).toMatchObject({ termsUrl: '/terms' })
    const terms = await t.call('readTerms', {}, {})
    expect(terms.text).toBe(text)
    expect(terms.html).toContain('<em>kind</em>')
    expect(terms.html).not.toMatch(/<script|href="javascript/)
    await write('Be kinder')
    expect((await t.call('readTerms', {}, {})).html).toContain('Be kinder')
    expect(await lastAudit()).toMatchObject({ kind: 'terms_changed', details: {} })
    expect(await write(null)).toMatchObject({ termsFrom: 'unset' })
    expect(await t.refused('readTerms', {}, {})).toMatchObject({ status: 404, message: 'Terms not found' })
  })

  it('are at most fifty thousand characters', async () => {
    const refused = await t.refused(
      'updateTerms',
      { body: { text: 'a'.repeat(TERMS_MAX + 1) } },
      { as: admin },
    )
    expect(refused).toMatchObject({ status: 400, code: 'invalid' })
  })

  it('are rendered once for many readers, and rendered again after a failure', async () => {
    let renderings = 0
    const renderer = {
      ...t.deps.renderer,
      render: async (client: Client, content: string) => {
        renderings += 1
        if (renderings === 1) throw new Error('no process')
        return t.deps.renderer.render(client, content)
      },
    }
    await write('Be kind')
    const replica = await t.replica({ renderer })
    expect((await replica.inject('/api/terms')).statusCode).toBe(500)
    for (let readers = 0; readers < 3; readers += 1)
      expect((await replica.inject('/api/terms')).statusCode).toBe(200)
    expect(renderings).toBe(2)
    await replica.close()
    await write(null)
  })

  it('are the operator’s if a setting contains their URL', async () => {
    const termsUrl = 'https://example.org/terms'
    await write('Be kind')
    const replica = await t.replica({ texts: createTexts({ ...t.deps, termsUrl }) })
    const ask = (method: 'GET' | 'PUT', url: string, payload?: object) =>
      replica.inject({ method, url, headers: admin.headers, ...(payload && { payload }) })
    expect((await ask('GET', '/api/identity')).json()).toMatchObject({ termsUrl })
    expect((await ask('GET', '/api/terms')).statusCode).toBe(404)
    expect((await ask('GET', '/api/admin')).json()).toMatchObject({ termsFrom: 'settings' })
    expect((await ask('PUT', '/api/admin/terms', { text: null })).statusCode).toBe(409)
    await replica.close()
    await write(null)
  })
})
