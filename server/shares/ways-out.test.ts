import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { browserAt, linkOf, picturesIn, writeWithPicture } from './testing.ts'

/** Two servers on one database. */
let t: TestApp
let other: FastifyInstance
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  other = await t.replica()
})
afterAll(async () => {
  await other.close()
  await t.close()
})

/** In the others, `visibility.test.ts` follows links too. */
const visibilities =
  process.env.MILEPOST_TESTS === 'all' ? (['private', 'unlisted', 'public'] as const) : (['private'] as const)
/** The states of an entry; `early` happened before the day from which one of the links shows entries. */
const states = ['published', 'early', 'draft', 'scheduled', 'trashed', 'moved away'] as const
type State = (typeof states)[number]

type Entries = Record<State, { _id: string; imageURL: string }>

async function projectIn(visibility: (typeof visibilities)[number]) {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { title: 'A canoe', visibility })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const write = (title: State) =>
    writeWithPicture(t, owner, milestoneId, {
      title,
      happenedOn: title === 'early' ? '2026-01-01' : '2026-03-03',
      state: title === 'draft' || title === 'scheduled' ? title : 'published',
    })
  const entries: Entries = {
    published: await write('published'),
    early: await write('early'),
    draft: await write('draft'),
    scheduled: await write('scheduled'),
    trashed: await write('trashed'),
    'moved away': await write('moved away'),
  }
  await leave(owner, milestoneId, entries)
  return { owner, projectId, entries }
}

async function leave(owner: Person, milestoneId: string, entries: Entries) {
  const trashed = { milestoneId, entryId: entries.trashed._id }
  await t.call('deleteEntry', { params: trashed }, { as: owner })
  const elsewhere = await t.project(owner)
  const { _id: milestone } = await t.milestone(owner, elsewhere._id)
  const moved = { milestoneId, entryId: entries['moved away']._id }
  await t.call('updateEntry', { params: moved, body: { milestone } }, { as: owner })
}

/** Readers by the link that they have opened, with the states of the entries that they see. */
async function readersOf({ owner, projectId, entries }: Awaited<ReturnType<typeof projectIn>>) {
  const open = async (fields: Parameters<typeof linkOf>[3]) =>
    browserAt(t.app, (await linkOf(t, owner, projectId, fields)).path)
  const revoked = await linkOf(t, owner, projectId)
  const former = await browserAt(t.app, revoked.path)
  await t.call('revokeShareLink', { params: { projectId, linkId: revoked._id } }, { as: owner })
  const elsewhere = await t.project(owner)
  return [
    { who: 'everything', browser: await open({}), sees: ['published', 'early'] },
    { who: 'from a day on', browser: await open({ fromDay: '2026-02-01' }), sees: ['published'] },
    { who: 'one entry', browser: await open({ entry: entries.early._id }), sees: ['early'] },
    { who: 'locked', browser: await open({ password: 'canoe river' }), sees: [] },
    { who: 'revoked', browser: former, sees: [] },
    {
      who: 'another project',
      browser: await browserAt(t.app, (await linkOf(t, owner, elsewhere._id)).path),
      sees: [],
    },
  ] satisfies { sees: State[]; [name: string]: unknown }[]
}

/** Returns the variant and the file of the picture of an entry, as in its signed URL. */
const fileOf = ({ imageURL }: { imageURL: string }) =>
  imageURL.replace(/^\/api\/media\//, '').replace(/\?.*/, '')

describe.each(visibilities)('of a %s project', (visibility) => {
  it('a link shows exactly its entries: in the project, its story, on their pages and as pictures', async () => {
    const project = await projectIn(visibility)
    for (const { who, browser, sees } of await readersOf(project)) {
      const list = (await browser.get(browser.home)).body
      const stories = await Promise.all(
        ['story', 'story/print'].map((path) => browser.get(`${browser.home}/${path}`)),
      )
      for (const state of states) {
        const entry = project.entries[state]
        const isSeen = (sees as State[]).includes(state)
        const page = await browser.get(`${browser.home}/entries/${entry._id}`)
        const image = await browser.get(`${browser.home}/media/${fileOf(entry)}`)
        const status = isSeen ? 200 : who === 'locked' ? 'form' : 404
        expect([who, state, page.body.includes(`Text of ${state}`)]).toEqual([who, state, isSeen])
        expect([who, state, page.body.includes('type="password"') ? 'form' : page.statusCode]).toEqual([
          who,
          state,
          status,
        ])
        expect([who, state, image.statusCode]).toEqual([who, state, isSeen ? 200 : 404])
        // The link of one entry leads from the project to it.
        const isListed = who === 'one entry' ? isSeen : list.includes(`Text of ${state}`)
        expect([who, state, isListed]).toEqual([who, state, isSeen])
        for (const { body } of stories) {
          const isTold = isSeen && who !== 'one entry'
          expect([who, state, body.includes(`Text of ${state}`)]).toEqual([who, state, isTold])
          expect([who, state, body.includes(project.projectId)]).toEqual([who, state, false])
        }
      }
    }
  })

  it('a link opens no other way out', async () => {
    const project = await projectIn(visibility)
    const [{ browser } = { browser: await browserAt(t.app, '/s/none') }] = await readersOf(project)
    const linkId = browser.home.slice('/world/'.length)
    const { _id: entryId } = project.entries.published
    const closed = [
      ...['feed.atom', 'feed.rss', 'feed.json', 'follow', 'share.png', `entries/${entryId}/share.png`].map(
        (path) => `${browser.home}/${path}`,
      ),
      `/api/projects/world/${linkId}`,
      `/api/projects/world/${linkId}/page`,
      `/api/projects/world/${linkId}/entries/${entryId}`,
      `/api/projects/${linkId}`,
      `/api/projects/${linkId}/entries`,
      `/api/projects/${linkId}/story`,
    ]
    for (const url of closed) expect([url, (await browser.get(url)).statusCode]).toEqual([url, 404])
    for (const url of ['/sitemap.xml', '/sitemap-projects-1.xml', '/sitemap-entries-1.xml'])
      expect((await browser.get(url)).body).not.toContain(linkId)
    const { _id: projectId } = { _id: project.projectId }
    const own = await browser.get(`/api/projects/${projectId}`)
    expect(own.statusCode).toBe(visibility === 'private' ? 404 : 200)
  })
})

it('a link that is revoked under load gives nothing to any request that begins later, on either server', async () => {
  const { owner, projectId, entries } = await projectIn('private')
  const link = await linkOf(t, owner, projectId)
  const browser = await browserAt(t.app, link.path)
  const entry = `${browser.home}/entries/${entries.published._id}`
  const urls = [browser.home, `${browser.home}/story`, entry, ...picturesIn((await browser.get(entry)).body)]
  let isRevoked = false
  const later: number[] = []
  let before = 0
  const read = async (app: FastifyInstance, url: string) => {
    const begunAfter = isRevoked
    const { statusCode } = await browser.get(url, app)
    if (begunAfter) later.push(statusCode)
    else if (statusCode === 200) before += 1
  }
  const reader = async (app: FastifyInstance) => {
    for (let round = 0; round < 12; round += 1) for (const url of urls) await read(app, url)
  }
  const readers = [t.app, other, t.app, other].map(reader)
  await read(t.app, entry)
  await t.call('revokeShareLink', { params: { projectId, linkId: link._id } }, { as: owner })
  isRevoked = true
  await Promise.all([...readers, read(t.app, entry), read(other, entry)])
  expect(before).toBeGreaterThan(0)
  expect(later.length).toBeGreaterThan(1)
  expect([...new Set(later)]).toEqual([404])
})
