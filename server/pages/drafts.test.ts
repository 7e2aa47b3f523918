import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Entry } from '#contract/entries.ts'
import type { Call } from '#contract/parts/call.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

const MARK = 'Zeugma'

let t: TestApp
let author: Person
/** Every other person who may read the project, a stranger, and a visitor. */
let others: Record<string, Person | null>
let place: { projectId: string; milestoneId: string; entryId: string }
let elsewhere: string
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  const owner = await t.person({ name: 'The owner' })
  const project = await t.project(owner, { isPublic: true })
  author = await t.member(project._id, 'editor')
  others = {
    owner,
    // They may read less than the owner.
    ...(process.env.MILEPOST_TESTS === 'all' && {
      editor: await t.member(project._id, 'editor'),
      viewer: await t.member(project._id, 'viewer'),
      stranger: await t.person(),
    }),
    visitor: null,
  }
  const milestone = await t.milestone(owner, project._id)
  elsewhere = (await t.milestone(owner, project._id, { title: 'Elsewhere' }))._id
  const before = await t.entry(owner, milestone._id, { title: 'Before', tags: ['wood'] })
  await t.entry(owner, milestone._id, { title: 'After', tags: ['wood'] })
  place = { projectId: project._id, milestoneId: milestone._id, entryId: before._id }
})
afterAll(() => t.close())

/**
 * Returns every URL that this person can read: those of the contract, and for the visitor also the pages, feeds and pictures,
 * which are the same for everybody.
 */
function urlsOf(entryId: string, person: Person | null): string[] {
  const ids: Record<string, string> = { ...place, entryId }
  const fill = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? entryId)
  const ofCalls = Object.values<Call>(calls)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => fill(path))
  const world = fill('/world/:projectId')
  const list = fill('/api/milestones/:milestoneId/entries')
  const ofApi = [
    ...ofCalls,
    `${list}?page=1`,
    `${list}?page=1&sort=title`,
    `${list}?page=1&search=${MARK}`,
    `${list}?page=1&tag=wood`,
    `${list}?page=1&tag=${MARK}`,
    `/api/milestones/${elsewhere}/entries`,
  ]
  if (person) return ofApi
  return [
    ...ofApi,
    world,
    `${world}?milestone=${elsewhere}`,
    `${world}/entries/${entryId}`,
    ...['atom', 'rss', 'json'].map((format) => `${world}/feed.${format}`),
    `${world}/share.png`,
    `${world}/entries/${entryId}/share.png`,
    '/sitemap.xml',
    '/sitemap-projects-1.xml',
    '/sitemap-entries-1.xml',
    '/',
  ]
}

/** An autosaved draft is at no URL of another person, not even under its own id. */
const urlsOfDraft = (draftId: string, person: Person | null) => [
  ...urlsOf(place.entryId, person),
  `/api/drafts/${draftId}`,
  `/api/drafts?entry=${place.entryId}`,
]

const AT_ONCE = 8

const isFixed = ([name]: [string, unknown]) => ['etag', 'x-robots-tag', 'content-type'].includes(name)

/** Returns the responses to a person other than the author at each URL, with their ETags. */
async function responsesFor(person: Person | null, urls: string[]) {
  t.later(11_000) // the counts of the landing page are cached for ten seconds
  const responses: Record<string, unknown> = {}
  const read = async (url: string) => {
    const response = await t.app.inject({ url, headers: person?.headers ?? {} })
    const headers = Object.fromEntries(Object.entries(response.headers).filter(isFixed))
    // The storage of a draft counts towards the quota of the project's owner, who sees only the sum.
    const body = url === '/api/account' ? response.body.replace(/"used":\d+/, '"used":"…"') : response.body
    responses[url] = { status: response.statusCode, headers, body }
  }
  // All at once would keep a busy machine longer than a statement may take.
  for (let n = 0; n < urls.length; n += AT_ONCE) await Promise.all(urls.slice(n, n + AT_ONCE).map(read))
  return responses
}

const everybodyIsTold = async (entryId: string) => {
  const responses: Record<string, unknown> = {}
  for (const [name, person] of Object.entries(others))
    responses[name] = await responsesFor(person, urlsOf(entryId, person))
  return responses
}

const listed = async (person: Person) =>
  (await t.call('listEntries', { params: place }, { as: person })) as Entry[]

describe('a draft', () => {
  it('is revealed only to its author, at any URL, while it is written, changed, moved and deleted', async () => {
    const heard: AppEvent[] = []
    const unsubscribe = t.deps.events.subscribe({ onEvent: (event) => void heard.push(event), onGap() {} })
    const before = await everybodyIsTold(place.entryId)
    heard.splice(0) // discards earlier events
    const fields = {
      title: `${MARK} 1`,
      content: `Not *yet* ${MARK}`,
      tags: `["wood","${MARK}"]`,
      state: 'draft',
    }
    const image = { bytes: await picture(40, 30).png().toBuffer() }
    const url = `/api/milestones/${place.milestoneId}/entries`
    const draft = (await sendForm(t.app, { url, as: author, fields, image })).json() as Entry
    expect(draft).toMatchObject({ state: 'draft', publishedAt: null, author: { name: 'The editor' } })
    const own = { milestoneId: place.milestoneId, entryId: draft._id }

    expect(await everybodyIsTold(place.entryId)).toEqual(before)
    for (const person of Object.values(others)) {
      const there = await responsesFor(person, urlsOf(draft._id, person))
      expect(JSON.stringify(Object.values(there))).not.toContain(MARK)
      const picture = await t.app.inject({
        url: draft.imageURL?.replace(/\?.*/, '') ?? '',
        headers: person?.headers ?? {},
      })
      expect(picture.statusCode).toBe(404)
      if (!person) continue
      const change = { params: own, body: { title: 'Mine' } }
      const status = person === others.stranger || person === others.viewer ? 403 : 404
      expect(await t.refused('updateEntry', change, { as: person })).toMatchObject({ status })
      expect(await t.refused('deleteEntry', { params: own }, { as: person })).toMatchObject({ status })
    }
    expect((await t.app.inject({ url: draft.imageURL ?? '' })).statusCode).toBe(200)
    expect((await listed(author)).map(({ title }) => title)).toContain(`${MARK} 1`)
    const found = { page: 1, search: MARK }
    expect(await t.call('listEntries', { params: own, query: found }, { as: author })).toMatchObject({
      entries: [{ _id: draft._id }],
      pagination: { totalItems: 1 },
      total: 3,
      tags: ['wood'],
    })

    await t.call('updateEntry', { params: own, body: { content: MARK.repeat(9) } }, { as: author })
    await t.call('updateEntry', { params: own, body: { milestone: elsewhere } }, { as: author })
    expect(await everybodyIsTold(place.entryId)).toEqual(before)
    const moved = { milestoneId: elsewhere, entryId: draft._id }
    await t.call('deleteEntry', { params: moved }, { as: author })
    const ofVisitor = await responsesFor(null, urlsOf(place.entryId, null))
    expect(ofVisitor).toEqual(before.visitor)

    const ofAuthor = { person: author.userId, project: place.projectId }
    await expect.poll(() => heard.length).toBeGreaterThan(3)
    expect(heard).toEqual(heard.map(() => ofAuthor))
    unsubscribe()
  })

  it('is shown to everybody once it is published, and only to its author once it is unpublished', async () => {
    const hidden = await t.entry(author, place.milestoneId, {
      title: `${MARK} 2`,
      tags: [MARK],
      state: 'draft',
    })
    const params = { milestoneId: place.milestoneId, entryId: hidden._id }
    const change = (body: object) => t.call('updateEntry', { params, body }, { as: author })
    const { publishedAt } = await change({ state: 'published' })
    expect(publishedAt).not.toBeNull()
    for (const person of Object.values(others)) {
      const responses = JSON.stringify(await responsesFor(person, urlsOf(hidden._id, person)))
      expect(responses).toContain(`${MARK} 2`)
    }
    const counted = await t.call('listMilestones', { params: place })
    expect(counted[0]?.entryCount).toBe(3)
    await change({ state: 'draft' })
    for (const person of Object.values(others)) {
      // Activity and notifications say what was published then, as they do of what is in the trash.
      const urls = urlsOf(hidden._id, person).filter((url) => !/activity|notifications/.test(url))
      const responses = JSON.stringify(await responsesFor(person, urls))
      expect(responses).not.toContain(`${MARK} 2`)
    }
    expect(await change({ state: 'published' })).toMatchObject({ publishedAt })
  })

  it('withdraws its pictures, and tells nobody that it was unpublished or published again', async () => {
    const file = await uploader(t).upload(author, place.projectId, {
      bytes: await picture(40, 30).png().toBuffer(),
    })
    const shown = { content: `![](/files/${file._id})`, title: `${MARK} 4` }
    const { _id: entryId } = await t.entry(author, place.milestoneId, shown)
    const params = { milestoneId: place.milestoneId, entryId }
    const statuses = () =>
      Promise.all(
        Object.values(others).map(async (person) => {
          const { statusCode } = await t.app.inject({
            url: `/files/${file._id}`,
            headers: person?.headers ?? {},
          })
          return statusCode
        }),
      )
    const told = async () => {
      const { rows } = await t.pool.query(
        `select (select count(*) from activity where entry_id = $1 and kind <> 'entry_edited') activity,
          (select count(*) from notifications) notifications`,
        [entryId],
      )
      return rows
    }
    expect(new Set(await statuses())).not.toContain(404)
    const before = await told()
    await t.call('updateEntry', { params, body: { state: 'draft' } }, { as: author })
    expect(new Set(await statuses())).toEqual(new Set([404]))
    await t.call('updateEntry', { params, body: { state: 'published' } }, { as: author })
    expect(await told()).toEqual(before)
    const read = (as: Person) => t.call('readEntry', { params }, { as })
    expect(await read(author)).toMatchObject({ isMine: true })
    expect(await read(others.owner ?? author)).not.toHaveProperty('isMine')
  })

  it('can be created from a published entry only by its author', async () => {
    const published = await t.entry(author, place.milestoneId)
    const params = { milestoneId: place.milestoneId, entryId: published._id }
    const change = { params, body: { state: 'draft' as const } }
    const error = await t.refused('updateEntry', change, { as: others.owner ?? author })
    expect(error).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await t.call('updateEntry', change, { as: author })).toMatchObject({ state: 'draft' })
  })
})

describe('an autosaved draft', () => {
  it('is not revealed to anybody else, at any URL, while it is stored, changed, published elsewhere and discarded', {
    tags: ['long'],
  }, async () => {
    const heard: AppEvent[] = []
    const unsubscribe = t.deps.events.subscribe({ onEvent: (event) => void heard.push(event), onGap() {} })
    const file = await uploader(t).upload(author, place.projectId, {
      bytes: await picture(40, 30).png().toBuffer(),
    })
    const params = { draftId: uuidv7() }
    const responses = async () => {
      const all: Record<string, unknown> = {}
      for (const [name, person] of Object.entries(others))
        all[name] = await responsesFor(person, urlsOfDraft(params.draftId, person))
      return all
    }
    const before = await responses()
    heard.splice(0)
    const words = {
      title: `${MARK} 3`,
      content: `${MARK} ![](/files/${file._id})`,
      tags: [MARK],
      entry: place.entryId,
      milestone: place.milestoneId,
      baseVersion: 1,
      coverFile: file._id,
    }
    await t.call('saveDraft', { params, body: words }, { as: author })
    expect(await responses()).toEqual(before)
    expect(JSON.stringify(before)).not.toContain(`${MARK} 3`)
    for (const person of Object.values(others)) {
      for (const url of [file.mediaURL?.replace(/\?.*/, '') ?? '', `/files/${file._id}`]) {
        const response = await t.app.inject({ url, headers: person?.headers ?? {} })
        expect(response.statusCode).toBe(404)
      }
      const list = await t.app.inject({
        url: `/api/projects/${place.projectId}/files?ids=${file._id}`,
        headers: person?.headers ?? {},
      })
      expect(list.body).not.toContain(file._id)
    }
    const again = { as: author, headers: { 'if-match': '"1"' } }
    await t.call(
      'saveDraft',
      { params, body: { ...words, content: MARK.repeat(9), milestone: elsewhere } },
      again,
    )
    expect(await responses()).toEqual(before)
    expect(await t.call('readDraft', { params }, { as: author })).toMatchObject({ title: `${MARK} 3` })
    expect(JSON.stringify(await listed(author))).not.toContain(`${MARK} 3`) // only the list of drafts contains it
    await t.call('discardDraft', { params }, { as: author })
    expect(await responses()).toEqual(before)
    await expect.poll(() => heard.length).toBeGreaterThan(1)
    expect(heard).toEqual(heard.map(() => ({ person: author.userId, drafts: true })))
    unsubscribe()
  })
})
