import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HASH_COST } from '#server/identity/local/hashing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { browserAt, linkOf, picturesIn, writeWithPicture } from './testing.ts'

/** Two servers on one database. */
let t: TestApp
let other: FastifyInstance
/** The cost of hashes of passwords outside of these tests, which ask for many. */
const usual = { ...HASH_COST }
beforeAll(async () => {
  Object.assign(HASH_COST, { memoryCost: 64, timeCost: 1 })
  t = await testApp({}, { pages: 'built' })
  other = await t.replica()
})
afterAll(async () => {
  Object.assign(HASH_COST, usual)
  await other.close()
  await t.close()
})

const DAY_MS = 24 * 60 * 60 * 1_000

async function privateProject() {
  const owner = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(owner, { title: 'A canoe' })
  const milestone = await t.milestone(owner, projectId, { title: 'Lumber' })
  const first = await writeWithPicture(t, owner, milestone._id, {
    title: 'First boards',
    happenedOn: '2026-01-02',
  })
  const second = await writeWithPicture(t, owner, milestone._id, {
    title: 'Second boards',
    happenedOn: '2026-03-04',
  })
  await t.entry(owner, milestone._id, { title: 'A secret draft', state: 'draft' })
  return { owner, projectId, milestoneId: milestone._id, first, second }
}

describe('a share link', () => {
  it('shows a private project, and its token leaves the address bar with the first visit', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId)
    expect((await t.app.inject({ url: `${link.path}).` })).statusCode).toBe(303)
    const reader = await browserAt(t.app, link.path)
    expect(reader.answer.statusCode).toBe(303)
    expect(reader.home).toBe(`/world/${link._id}`)
    expect(reader.answer.headers).toMatchObject({
      'cache-control': 'private, no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(reader.answer.headers['set-cookie']).toMatch(
      new RegExp(`; Path=/world/${link._id}; HttpOnly; SameSite=Lax`),
    )
    const page = await reader.get(reader.home)
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(page.headers.etag).toBeUndefined()
    expect(page.body).toContain('Second boards')
    expect(page.body).not.toContain('A secret draft')
    for (const secret of [projectId, link.path.slice(3), 'og:', 'canonical', 'feed.', 'ld+json'])
      expect(page.body).not.toContain(secret)
  })

  it('shows entries with their pictures, which are gone with it at once on every server', async () => {
    const { owner, projectId, second } = await privateProject()
    const link = await linkOf(t, owner, projectId)
    const reader = await browserAt(t.app, link.path)
    const entry = `${reader.home}/entries/${second._id}`
    const page = await reader.get(entry)
    expect(page.body).toContain('Text of Second boards')
    const pictures = picturesIn(page.body)
    expect(pictures.length).toBeGreaterThan(0)
    const read = await reader.get(pictures[0] ?? '', other)
    expect([read.statusCode, read.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(read.headers['cache-control']).toBe('private, no-cache')
    const etag = String(read.headers.etag)
    for (const url of pictures) expect((await t.app.inject({ url })).statusCode).toBe(404)

    await t.call('revokeShareLink', { params: { projectId, linkId: link._id } }, { as: owner })
    for (const app of [t.app, other])
      for (const url of [reader.home, entry, ...pictures])
        expect([url, (await reader.get(url, app, { 'if-none-match': etag })).statusCode]).toEqual([url, 404])
  })

  it('to one entry shows nothing else', async () => {
    const { owner, projectId, first, second } = await privateProject()
    const link = await linkOf(t, owner, projectId, { entry: first._id })
    const reader = await browserAt(t.app, link.path)
    const home = await reader.get(reader.home)
    expect(home.headers.location).toBe(`/world/${link._id}/entries/${first._id}`)
    const page = await reader.get(String(home.headers.location))
    expect(page.body).toContain('Text of First boards')
    expect(page.body).not.toContain('Second boards')
    expect(page.body).not.toContain(`href="/world/${link._id}"`)
    expect((await reader.get(`${reader.home}/entries/${second._id}`)).statusCode).toBe(404)
    const whole = await browserAt(t.app, (await linkOf(t, owner, projectId)).path)
    const [hidden = ''] = picturesIn((await whole.get(`${whole.home}/entries/${second._id}`)).body)
    expect((await reader.get(hidden.replace(whole.home, reader.home))).statusCode).toBe(404)
  })

  it.each(['fromDay', 'fromEntry'] as const)('from a %s on hides what happened before', async (kind) => {
    const { owner, projectId, first, second } = await privateProject()
    const early = await t.milestone(owner, projectId, { title: 'An early milestone' })
    await t.entry(owner, early._id, { title: 'Long ago', happenedOn: '2025-01-01', tags: ['wood'] })
    const part = kind === 'fromDay' ? { fromDay: '2026-02-01' } : { fromEntry: second._id }
    const reader = await browserAt(t.app, (await linkOf(t, owner, projectId, part)).path)
    for (const url of [reader.home, `${reader.home}?tag=wood`]) {
      const { statusCode, body } = await reader.get(url)
      expect([url, statusCode]).toEqual([url, 200])
      expect(body).toContain('Second boards')
      for (const hidden of ['First boards', 'Long ago', 'An early milestone'])
        expect(body).not.toContain(hidden)
    }
    expect((await reader.get(`${reader.home}/entries/${first._id}`)).statusCode).toBe(404)
    const entry = await reader.get(`${reader.home}/entries/${second._id}`)
    expect(entry.body).not.toContain('First boards')
  })

  it('that is unknown, ended or revoked has the same page', async () => {
    const { owner, projectId } = await privateProject()
    const ended = await linkOf(t, owner, projectId, {
      expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
    })
    const revoked = await linkOf(t, owner, projectId)
    const reader = await browserAt(t.app, ended.path)
    await t.deps.db
      .updateTable('share_links')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', ended._id)
      .execute()
    await t.call('revokeShareLink', { params: { projectId, linkId: revoked._id } }, { as: owner })
    const answers = await Promise.all(
      ['/s/unknown', `/s/${'x'.repeat(43)}`, ended.path, revoked.path].map((url) => t.app.inject({ url })),
    )
    for (const { statusCode, body, headers } of answers) {
      expect([statusCode, body]).toEqual([404, answers[0]?.body])
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['cache-control']).toBe('private, no-store, no-transform')
    }
    expect((await reader.get(reader.home)).body).toBe(answers[0]?.body)
  })

  it('that has ended goes on under the same address once its end is moved', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId)
    const reader = await browserAt(t.app, link.path)
    await t.deps.db
      .updateTable('share_links')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', link._id)
      .execute()
    expect((await reader.get(reader.home)).statusCode).toBe(404)
    const params = { projectId, linkId: link._id }
    await t.call('updateShareLink', { params, body: { expiresAt: null } }, { as: owner })
    expect((await reader.get(reader.home)).statusCode).toBe(200)
  })

  it('with a new address shuts out those who have the former one', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId)
    const reader = await browserAt(t.app, link.path)
    const params = { projectId, linkId: link._id }
    const { url } = await t.call('renewShareLink', { params }, { as: owner })
    expect((await reader.get(reader.home)).statusCode).toBe(404)
    expect((await t.app.inject({ url: link.path })).statusCode).toBe(404)
    const renewed = await browserAt(t.app, new URL(url).pathname)
    expect((await renewed.get(renewed.home)).statusCode).toBe(200)
  })

  it('opens nothing for the cookie of another link, or without one', async () => {
    const { owner, projectId } = await privateProject()
    const [one, two] = [await linkOf(t, owner, projectId), await linkOf(t, owner, projectId)]
    const reader = await browserAt(t.app, one.path)
    expect((await reader.get(`/world/${two._id}`)).statusCode).toBe(404)
    expect((await reader.get(`/world/${projectId}`)).statusCode).toBe(404)
    expect((await t.app.inject({ url: reader.home })).statusCode).toBe(404)
    for (const feed of ['feed.atom', 'follow']) {
      expect((await reader.get(`${reader.home}/${feed}`)).statusCode).toBe(404)
    }
  })

  it('shows nothing of a project in the trash, or of an entry that was taken back', async () => {
    const { owner, projectId, milestoneId, second } = await privateProject()
    const reader = await browserAt(t.app, (await linkOf(t, owner, projectId)).path)
    const entry = `${reader.home}/entries/${second._id}`
    const [shown = ''] = picturesIn((await reader.get(entry)).body)
    const params = { milestoneId, entryId: second._id }
    await t.call('updateEntry', { params, body: { state: 'draft' } }, { as: owner })
    expect((await reader.get(entry)).statusCode).toBe(404)
    expect((await reader.get(shown)).statusCode).toBe(404)
    expect((await reader.get(reader.home)).body).not.toContain('Second boards')
    await t.call('deleteProject', { params: { projectId } }, { as: owner })
    expect((await reader.get(reader.home)).statusCode).toBe(404)
  })
})

describe('the password of a share link', () => {
  it('is asked for without scripts before anything is shown, and opens the link', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId, { password: 'canoe river' })
    const reader = await browserAt(t.app, link.path)
    const asked = await reader.get(reader.home)
    expect(asked.body).toContain('type="password"')
    expect(asked.body).not.toContain('canoe')
    expect(asked.headers['content-security-policy']).toContain("form-action 'self'")
    const wrong = await reader.enter(reader.home, 'wrong guess')
    expect([wrong.statusCode, wrong.headers['set-cookie']]).toEqual([403, undefined])
    const right = await reader.enter(reader.home, 'canoe river')
    expect([right.statusCode, right.headers.location]).toEqual([303, reader.home])
    expect((await reader.get(reader.home)).body).toContain('Second boards')
  })

  it('is tried five times in a quarter of an hour from one network', async () => {
    const { owner, projectId } = await privateProject()
    const reader = await browserAt(
      t.app,
      (await linkOf(t, owner, projectId, { password: 'canoe river' })).path,
    )
    for (let tries = 0; tries < 5; tries += 1)
      expect((await reader.enter(reader.home, 'wrong')).statusCode).toBe(403)
    const refused = await reader.enter(reader.home, 'canoe river')
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([429, undefined])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('that many networks guess still opens from the networks from which it was entered, and from no other', {
    tags: ['long'],
  }, async () => {
    const { owner, projectId } = await privateProject()
    const reader = await browserAt(
      t.app,
      (await linkOf(t, owner, projectId, { password: 'canoe river' })).path,
    )
    const from = (ip: string, password: string) => reader.enter(reader.home, password, ip)
    expect((await from('192.0.2.7', 'canoe river')).statusCode).toBe(303)
    const outcomes = []
    for (let guess = 0; guess < 105; guess += 1)
      outcomes.push((await from(`198.51.100.${Math.floor(guess / 5)}`, 'wrong')).statusCode)
    expect([...new Set(outcomes.slice(0, 100)), ...new Set(outcomes.slice(100))]).toEqual([403, 429])
    expect((await from('203.0.113.9', 'canoe river')).statusCode).toBe(429)
    expect((await from('192.0.2.7', 'canoe river')).statusCode).toBe(303)
    const guesses = []
    for (let guess = 0; guess < 6; guess += 1) guesses.push((await from('192.0.2.7', 'wrong')).statusCode)
    expect(guesses).toEqual([403, 403, 403, 403, 403, 429])
  })

  it('shuts out everybody when it changes, and lets in when it is removed', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId, { password: 'canoe river' })
    const reader = await browserAt(t.app, link.path)
    await reader.enter(reader.home, 'canoe river')
    const params = { projectId, linkId: link._id }
    await t.call('updateShareLink', { params, body: { password: 'another one' } }, { as: owner })
    expect((await reader.get(reader.home)).statusCode).toBe(404)
    await t.call('updateShareLink', { params, body: { password: null } }, { as: owner })
    const again = await browserAt(t.app, link.path)
    expect((await again.get(again.home)).statusCode).toBe(200)
  })
})

describe('the list of share links', () => {
  it('shows when each was last used, never its address', async () => {
    const { owner, projectId, first } = await privateProject()
    const link = await linkOf(t, owner, projectId, { entry: first._id })
    const list = () => t.call('listShareLinks', { params: { projectId } }, { as: owner })
    expect(await list()).toMatchObject([
      { name: 'Grandma', entry: { _id: first._id, title: 'First boards' }, lastUsedOn: null },
    ])
    const reader = await browserAt(t.app, link.path)
    await reader.get(reader.home)
    expect(await list()).toMatchObject([{ lastUsedOn: new Date().toISOString().slice(0, 10) }])
    expect(JSON.stringify(await list())).not.toContain(link.path.slice(3))
  })

  it('is in the activity of the project by name', async () => {
    const { owner, projectId } = await privateProject()
    const link = await linkOf(t, owner, projectId)
    const params = { projectId, linkId: link._id }
    await t.call('updateShareLink', { params, body: { name: 'Granny' } }, { as: owner })
    await t.call('renewShareLink', { params }, { as: owner })
    await t.call('revokeShareLink', { params }, { as: owner })
    const { activity } = await t.call('listActivity', { params: { projectId } }, { as: owner })
    expect(activity.slice(0, 4).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['link_revoked', 'Granny'],
      ['link_renewed', 'Granny'],
      ['link_changed', 'Granny'],
      ['link_created', 'Grandma'],
    ])
  })

  it('takes no entry of another project, no draft, no two parts and no end in the past', async () => {
    const { owner, projectId, milestoneId, first } = await privateProject()
    const elsewhere = await privateProject()
    const draft = await t.entry(owner, milestoneId, { state: 'draft' })
    for (const fields of [
      { entry: elsewhere.first._id },
      { fromEntry: draft._id },
      { entry: first._id, fromDay: '2026-01-01' },
      { expiresAt: '2026-01-01T00:00:00Z' },
    ]) {
      const body = { name: 'x', ...fields }
      const { status } = await t.refused('createShareLink', { params: { projectId }, body }, { as: owner })
      expect([fields, status]).toEqual([fields, 400])
    }
  })
})
