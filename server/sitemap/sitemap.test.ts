import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { PART_SIZE } from './service.ts'

const ORIGIN = 'http://localhost:3000'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const get = (url: string) => t.app.inject({ url })

/** Returns the URLs that a sitemap lists; throws if it is not well-formed. */
async function listed(url: string): Promise<string[]> {
  const answer = await get(url)
  expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
    url,
    200,
    'application/xml; charset=utf-8',
  ])
  new SaxesParser().write(answer.body).close()
  return [...answer.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
}

/** Returns the URLs of all parts. */
async function listedInAll(): Promise<string[]> {
  const parts = await listed('/sitemap.xml')
  return (await Promise.all(parts.map((part) => listed(part.slice(ORIGIN.length))))).flat()
}

describe('the sitemap', () => {
  it('excludes unlisted projects and their entries', async () => {
    const owner = await t.person()
    const project = await t.project(owner, { visibility: 'unlisted' })
    const entry = await t.entry(owner, (await t.milestone(owner, project._id))._id)
    const all = (await listedInAll()).join(' ')
    expect(all).not.toContain(project._id)
    expect(all).not.toContain(entry._id)
  })

  it('lists the pages that are public, and nothing else', async () => {
    const owner = await t.person()
    const [shown, hidden] = [await t.project(owner, { isPublic: true }), await t.project(owner)]
    const entries = await Promise.all(
      [shown, hidden].map(async ({ _id }) => t.entry(owner, (await t.milestone(owner, _id))._id)),
    )
    const all = await listedInAll()
    expect(all).toEqual(
      expect.arrayContaining([
        `${ORIGIN}/`,
        `${ORIGIN}/about`,
        `${ORIGIN}/markdown-guide`,
        `${ORIGIN}/world/${shown._id}`,
        `${ORIGIN}/world/${shown._id}/entries/${entries[0]?._id}`,
      ]),
    )
    expect(all.join()).not.toContain(hidden._id)
    expect(all.join()).not.toContain(entries[1]?._id)
  })

  it('excludes a project as soon as it is no longer public', async () => {
    const owner = await t.person()
    const project = await t.project(owner, { isPublic: true })
    await t.entry(owner, (await t.milestone(owner, project._id))._id)
    expect((await listedInAll()).join()).toContain(project._id)
    const params = { projectId: project._id }
    await t.call(
      'updateProject',
      { params, body: { title: 'x', description: 'y', isPublic: false } },
      { as: owner },
    )
    expect((await listedInAll()).join()).not.toContain(project._id)
  })

  it('has the last change of a project: that of its newest entry', async () => {
    const owner = await t.person()
    const project = await t.project(owner, { isPublic: true })
    const milestone = await t.milestone(owner, project._id)
    t.later(60_000)
    const entry = await t.entry(owner, milestone._id)
    t.later(-60_000)
    const { body } = await get('/sitemap-projects-1.xml')
    const row = body.split('\n').find((line) => line.includes(project._id))
    expect(row).toContain(`<lastmod>${entry.updatedAt}</lastmod>`)
  })

  it.each([
    '/sitemap-projects-99.xml',
    '/sitemap-entries-0.xml',
    '/sitemap-entries-x.xml',
    '/sitemap-users-1.xml',
  ])('%s returns 404', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  it('is split into parts with different URLs, and compressed if the client supports it', {
    tags: ['long'],
  }, async () => {
    const owner = await t.person()
    const project = await t.project(owner, { isPublic: true })
    const milestone = await t.milestone(owner, project._id)
    const now = new Date()
    const rows = Array.from({ length: PART_SIZE }, (_, index) => ({
      id: `0199f1f0-0000-7000-8000-${String(index).padStart(12, '0')}`,
      milestone_id: milestone._id,
      title: 'A day',
      content: 'Text',
      tags: [],
      created_at: now,
      updated_at: now,
    }))
    for (let from = 0; from < rows.length; from += 2_500) {
      await t.deps.db
        .insertInto('entries')
        .values(rows.slice(from, from + 2_500))
        .execute()
    }
    expect(await listed('/sitemap.xml')).toContain(`${ORIGIN}/sitemap-entries-2.xml`)
    const [first, second] = [await listed('/sitemap-entries-1.xml'), await listed('/sitemap-entries-2.xml')]
    const url = '/sitemap-entries-1.xml'
    for (const [encoding, unpack] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
      const { headers, rawPayload } = await t.app.inject({ url, headers: { 'accept-encoding': encoding } })
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
      expect(unpack(rawPayload).toString()).toBe((await get(url)).body)
    }
    expect(first).toHaveLength(PART_SIZE)
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length)
  })
})

it('robots.txt allows public pages, and contains the URL of the sitemap', async () => {
  const { body, headers } = await get('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const lines = body.split('\n')
  for (const line of [
    'User-agent: *',
    'Disallow: /api/',
    'Allow: /api/media/',
    'Disallow: /dashboard',
    'Disallow: /invite/',
  ]) {
    expect(lines).toContain(line)
  }
  expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`)
  expect(body).not.toMatch(/Disallow: \/(?:world.*)?$/m)
})
