import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROFILE_NAMES_MAX, profileName } from '#contract/profiles.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
})
afterAll(() => t.close())

let count = 0
const unused = () => `ada-${++count}`

const change = (as: Person, body: { name?: string; about?: string; isOn?: boolean }) =>
  t.call('changeProfile', { body }, { as })

async function withPage(name = unused()) {
  const owner = await t.person({ name: 'Ada Lovelace' })
  await change(owner, { name, about: 'I build a canoe.', isOn: true })
  return { owner, name, path: `/@${encodeURIComponent(name)}` }
}

const project = (owner: Person, title: string, visibility: 'public' | 'unlisted' | 'private' = 'public') =>
  t.project(owner, { title, visibility })

async function read(url: string) {
  const { statusCode, headers, body } = await t.app.inject({ url })
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { statusCode, rest, body }
}

const missing = (path = '') => read(`/@nobody-has-this${path}`)

describe('the page of a person', () => {
  it('is off by default, and cannot be told from one that never was', async () => {
    const owner = await t.person()
    expect(await t.call('readProfile', {}, { as: owner })).toEqual({
      name: null,
      former: [],
      about: '',
      isOn: false,
    })
    const name = unused()
    await change(owner, { name })
    for (const path of ['', '/feed.atom', '/feed.rss', '/feed.json'])
      expect(await read(`/@${name}${path}`)).toEqual(await missing(path))
    expect(
      await t.refused('changeProfile', { body: { isOn: true } }, { as: await t.person() }),
    ).toMatchObject({
      status: 400,
      issues: [{ path: 'name' }],
    })
  })

  it('lists the public projects of its owner alone: none unlisted, private, deleted or of others', async () => {
    const { owner, path } = await withPage()
    await project(owner, 'Shown canoe')
    await project(owner, 'Unlisted canoe', 'unlisted')
    await project(owner, 'Private canoe', 'private')
    const trashed = await project(owner, 'Trashed canoe')
    await deleted(t, owner, { projectId: trashed._id })
    const other = await t.person()
    const theirs = await project(other, 'Canoe of others')
    const admin = await t.member(theirs._id, 'admin')
    const name = unused()
    await change(admin, { name, isOn: true })
    expect((await read(`/@${name}`)).body).not.toContain('Canoe of others')
    const { body, statusCode, rest } = await read(path)
    expect(statusCode).toBe(200)
    expect(rest).toMatchObject({ 'cache-control': 'no-cache, no-transform', etag: expect.any(String) })
    for (const text of ['Ada Lovelace', 'I build a canoe.', 'Shown canoe']) expect(body).toContain(text)
    for (const text of ['Unlisted canoe', 'Private canoe', 'Trashed canoe']) expect(body).not.toContain(text)
    for (const secret of [owner.email, owner.userId]) expect(body).not.toContain(secret)
  })

  it('is asked for again once anything on it has changed, and not before', async () => {
    const { owner, path } = await withPage()
    const { _id: projectId } = await project(owner, 'A canoe')
    const etag = async () => (await read(path)).rest.etag
    const changes: (() => Promise<unknown>)[] = [
      () => change(owner, { about: 'I build another canoe.' }),
      () => t.call('updateAccount', { body: { name: 'Ada L.' } }, { as: owner }),
      () => t.call('updateProject', { params: { projectId }, body: { title: 'A kayak' } }, { as: owner }),
      () => project(owner, 'A raft'),
      () =>
        t.call('updateProject', { params: { projectId }, body: { visibility: 'unlisted' } }, { as: owner }),
      () => t.call('deleteProject', { params: { projectId } }, { as: owner }),
    ]
    for (const [index, make] of changes.entries()) {
      const before = await etag()
      expect(await etag()).toBe(before)
      const headers = { 'if-none-match': String(before) }
      expect((await t.app.inject({ url: path, headers })).statusCode).toBe(304)
      await make()
      // What is unlisted changes nothing.
      expect([index, (await etag()) === before]).toEqual([index, index === changes.length - 1])
    }
  })

  it('is gone at once when it is switched off, and while its owner is shut out or leaves', async () => {
    const { owner, path } = await withPage()
    await project(owner, 'A canoe')
    const { db } = t.deps
    const set = (columns: object) =>
      db.updateTable('users').set(columns).where('id', '=', owner.userId).execute()
    const isShown = async () => {
      const pages = [await read(path), await read(`${path}/feed.atom`)]
      const { body } = await t.app.inject({ url: '/sitemap-people-1.xml' })
      return [...pages.map(({ statusCode }) => statusCode === 200), body.includes(`${path}</loc>`)]
    }
    const [shown, hidden] = [
      [true, true, true],
      [false, false, false],
    ]
    expect(await isShown()).toEqual(shown)
    await change(owner, { isOn: false })
    expect(await isShown()).toEqual(hidden)
    await change(owner, { isOn: true })
    expect(await isShown()).toEqual(shown)
    for (const column of ['suspended_at', 'awaiting_since', 'leaving_since']) {
      await set({ [column]: new Date() })
      expect([column, await isShown()]).toEqual([column, hidden])
      expect(await read(path)).toEqual(await missing())
      await set({ [column]: null })
    }
    expect(await isShown()).toEqual(shown)
  })

  it('is linked from the projects of its owner, while it is on', async () => {
    const { owner, name } = await withPage()
    for (const visibility of ['public', 'unlisted'] as const) {
      const { _id: projectId } = await project(owner, 'A canoe', visibility)
      const html = async () => (await read(`/world/${projectId}`)).body
      expect(await html()).toMatch(
        new RegExp(`Created by <a[^>]* href="/@${name}"|Created by <a href="/@${name}"`),
      )
      const { user } = (await t.call('readWorldPage', { params: { projectId } })).project
      expect(user).toEqual({ name: 'Ada Lovelace', profile: name })
      await change(owner, { isOn: false })
      expect(await html()).not.toContain('/@')
      expect((await t.call('readWorldPage', { params: { projectId } })).project.user).toEqual({
        name: 'Ada Lovelace',
      })
      await change(owner, { isOn: true })
    }
  })

  it('has feeds of the newest entries of its projects, each with the title of its project', async () => {
    const { owner, path } = await withPage()
    const titles = ['A canoe', 'A raft']
    for (const title of titles) {
      const milestone = await t.milestone(owner, (await project(owner, title))._id)
      t.later(1_000)
      await t.entry(owner, milestone._id, { title: `Day of ${title}`, content: 'Some **text**' })
    }
    const hidden = await t.milestone(owner, (await project(owner, 'Hidden', 'unlisted'))._id)
    await t.entry(owner, hidden._id, { title: 'Hidden day' })
    const { body } = await read(`${path}/feed.json`)
    const feed = JSON.parse(body)
    expect(feed).toMatchObject({
      title: 'Ada Lovelace',
      description: 'I build a canoe.',
      feed_url: `http://localhost:3000${path}/feed.json`,
      home_page_url: `http://localhost:3000${path}`,
    })
    expect(feed.items.map(({ title }: { title: string }) => title)).toEqual([
      'Day of A raft · A raft',
      'Day of A canoe · A canoe',
    ])
    for (const format of ['atom', 'rss']) {
      const xml = (await read(`${path}/feed.${format}`)).body
      expect(xml).toContain('Day of A raft · A raft')
      expect(xml).not.toContain('Hidden')
    }
  })

  it('has several pages if there are many projects', { tags: ['long'] }, async () => {
    const { owner, path } = await withPage()
    for (let index = 0; index < 25; index += 1) await project(owner, `Canoe ${index}`)
    expect((await read(path)).body).toContain(`${path}?page=2`)
    const { body } = await read(`${path}?page=2`)
    expect(body).toContain(`<link rel="canonical" href="http://localhost:3000${path}?page=2"/>`)
    expect((await read(`${path}?page=3`)).statusCode).toBe(404)
  })
})

describe('the name of a page', () => {
  it('is found in any spelling, and leads to its one address', async () => {
    const { name } = await withPage('ádá')
    const target = async (url: string) => {
      const { statusCode, rest } = await read(url)
      return statusCode === 301 ? rest.location : statusCode
    }
    const canonical = `/@${encodeURIComponent(name)}`
    expect(await target(canonical)).toBe(200)
    const spellings = [name.toUpperCase(), name.normalize('NFD')].map(encodeURIComponent)
    for (const spelling of spellings) {
      expect(await target(`/@${spelling}`)).toBe(canonical)
      expect(await target(`/@${spelling}/feed.rss`)).toBe(`${canonical}/feed.rss`)
    }
    expect(await target(`/%40${encodeURIComponent(name)}`)).toBe(200)
    expect(await target(`${canonical}/`)).toBe(canonical)
  })

  it('stays its own for ever, and leads on', async () => {
    const { owner, name } = await withPage()
    const second = unused()
    expect(await change(owner, { name: second })).toMatchObject({ name: second, former: [name] })
    const { statusCode, rest } = await read(`/@${name}/feed.atom?x=1`)
    expect([statusCode, rest.location, rest['cache-control']]).toEqual([
      302,
      `/@${second}/feed.atom?x=1`,
      'no-store',
    ])
    const other = await t.person()
    for (const taken of [name, second, name.toUpperCase()])
      await expect(change(other, { name: taken })).rejects.toThrow('This name is taken')
    await change(owner, { isOn: false })
    expect(await read(`/@${name}`)).toEqual(await missing())
    expect(await change(owner, { name })).toMatchObject({ name, former: [second] })
  })

  it('is given to one of several people who ask at the same time', async () => {
    const people = await Promise.all([t.person(), t.person(), t.person()])
    const name = unused()
    const results = await Promise.allSettled(people.map((person) => change(person, { name, isOn: true })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('of a deleted account is nobody else’s, and says nothing of whose it was', async () => {
    const { owner, name, path } = await withPage()
    const { forget } = await import('./feature.ts').then(({ profileFeature }) => profileFeature)
    await t.deps.db.transaction().execute(async (trx) => {
      await forget?.(trx, { userId: owner.userId, name: '', emails: [], ownEmails: [] })
      await trx.deleteFrom('users').where('id', '=', owner.userId).execute()
    })
    expect(await read(path)).toEqual(await missing())
    await expect(change(await t.person(), { name })).rejects.toThrow('This name is taken')
    const rows = await t.deps.db.selectFrom('retired_profile_names').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(name)
  })

  it.each([
    'آدا',
    'さくら',
    '田中',
    '김철수',
    'ज्ञान',
    'ольга',
    'Ναυσικά',
    'ada-2',
    'e\u0301lan',
    'ＡＤＡ',
    '@ada',
  ])('may be %j', (name) => expect(profileName.safeParse(name).error).toBeUndefined())

  it.each([
    'a',
    'a'.repeat(41),
    'ada lovelace',
    'a--b',
    '-ada',
    '1984',
    'a/../b',
    'ad\u200ba',
    'ad\u00ada',
    'ada\u3164',
    '\u202eada',
    'ad\u0430', // with a Cyrillic letter
    '\u0430\u0441\u0435', // of Cyrillic letters that all look Latin
    'ada漢字',
    'admin',
    'Administrator',
    '😀😀',
    '\ud800ab',
    'a\u0000b',
  ])('is refused as %j', async (name) => {
    const as = await t.person()
    expect((await t.refused('changeProfile', { body: { name } }, { as })).status).toBe(400)
    expect((await t.app.inject({ url: `/@${encodeURIComponent(name.toWellFormed())}` })).statusCode).not.toBe(
      200,
    )
  })

  it('is one of at most a few of an account', async () => {
    const { owner, name } = await withPage()
    for (let made = 1; made < PROFILE_NAMES_MAX; made += 1) await change(owner, { name: unused() })
    await expect(change(owner, { name: unused() })).rejects.toThrow(`at most ${PROFILE_NAMES_MAX} names`)
    expect((await change(owner, { name })).name).toBe(name)
  })

  it('is not changed by a token that is limited to some projects', async () => {
    const owner = await t.person()
    const { _id } = await project(owner, 'A canoe')
    const as = await t.program(owner, { scopes: ['manage', 'publish'], projects: [_id] })
    expect(await t.refused('changeProfile', { body: { isOn: false } }, { as })).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})
