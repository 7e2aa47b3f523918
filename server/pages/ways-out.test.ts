import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unzipped } from '#server/export/testing.ts'
import { mailingApp } from '#server/followers/testing.ts'
import { writeWithPicture } from '#server/shares/testing.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'

const VISIBILITIES = ['private', 'unlisted', 'public'] as const
type Visibility = (typeof VISIBILITIES)[number]
const STATES = [
  'published',
  'draft',
  'draft again',
  'scheduled',
  'trashed',
  'of a trashed milestone',
  'moved away',
] as const
type State = (typeof STATES)[number]
/** The project of `npm test`, of which the most is given; `visibility.test.ts` goes most of these ways in the others. */
const shown: readonly Visibility[] = process.env.MILEPOST_TESTS === 'all' ? VISIBILITIES : ['public']
/** In each text that readers get, a word of its own. */
const wordOf = (state: State) => `okapi${STATES.indexOf(state)}`

let m: Awaited<ReturnType<typeof mailingApp>>
let t: TestApp
const filled = new Map<Visibility, Awaited<ReturnType<typeof fill>>>()
beforeAll(async () => {
  m = await mailingApp()
  t = m.t
  for (const visibility of shown) filled.set(visibility, await fill(visibility))
}, 120_000)
afterAll(() => t.close())

async function fill(visibility: Visibility) {
  const owner = await t.person({ name: 'Ada' })
  const name = `ada-${visibility}`
  await t.call('changeProfile', { body: { name, isOn: true } }, { as: owner })
  const { _id: projectId } = await t.project(owner, { title: 'Canoe', visibility })
  await t.call('changeReaders', { params: { projectId }, body: { downloads: true } }, { as: owner })
  const reader = `${visibility}@example.org`
  if (visibility !== 'private') await m.follow(projectId, reader)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const { _id: leaving } = await t.milestone(owner, projectId)
  const viewer = await t.member(projectId, 'viewer')
  const media = new Map<State, string>()
  const ids = new Map<State, string>()
  for (const state of STATES) {
    const entry = await writeWithPicture(
      t,
      owner,
      state === 'of a trashed milestone' ? leaving : milestoneId,
      {
        title: wordOf(state),
        happenedOn: '2026-03-03',
        state: state === 'draft' || state === 'scheduled' ? state : 'published',
      },
    )
    ids.set(state, entry._id)
    media.set(state, entry.imageURL.replace(/\?.*/, ''))
  }
  const params = (state: State) => ({ milestoneId, entryId: ids.get(state) ?? '' })
  const draft = { params: params('draft again'), body: { state: 'draft' as const } }
  await t.call('updateEntry', draft, { as: owner })
  await deleted(t, owner, params('trashed'))
  await deleted(t, owner, { projectId, milestoneId: leaving })
  const { _id: elsewhere } = await t.project(owner)
  const { _id: milestone } = await t.milestone(owner, elsewhere)
  await t.call('updateEntry', { params: params('moved away'), body: { milestone } }, { as: owner })
  await m.pass(2)
  await m.queue()
  await m.sendQueued()
  return { name, projectId, milestoneId, viewer, reader, media, ids }
}

type Filled = Awaited<ReturnType<typeof fill>>

const get = async (url: string, as?: Person) => {
  const { statusCode, rawPayload, headers } = await t.app.inject({ url, ...(as && { headers: as.headers }) })
  const isZip = /zip/.test(String(headers['content-type']))
  const text = isZip
    ? [...(await unzipped(rawPayload))].map(([path, bytes]) => `${path} ${bytes.toString()}`).join()
    : rawPayload.toString()
  return { statusCode, text }
}

/** Where visitors read a project; `onlyListed`: what has listed projects alone. */
const waysOf = ({ name, projectId, milestoneId }: Filled): { url: string; onlyListed?: true }[] => [
  ...['', `?milestone=${milestoneId}`, '?tag=wood', '/story', '/story/print', '/search?q=text'].map(
    (rest) => ({
      url: `/world/${projectId}${rest}`,
    }),
  ),
  ...['atom', 'rss', 'json'].flatMap((format) => [
    { url: `/world/${projectId}/feed.${format}` },
    { url: `/@${name}/feed.${format}`, onlyListed: true as const },
  ]),
  ...['', '/page', '/entries'].map((rest) => ({ url: `/api/projects/world/${projectId}${rest}` })),
  { url: `/api/projects/${projectId}/story` },
  { url: `/api/projects/${projectId}/entries?limit=24` },
  { url: `/api/milestones/${milestoneId}/entries` },
  ...['epub', 'site'].map((format) => ({ url: `/api/world/${projectId}/downloads/${format}` })),
]

const statesIn = (text: string) => STATES.filter((state) => text.includes(wordOf(state)))

describe.each(shown)('of a %s project', (visibility) => {
  const given: State[] = visibility === 'private' ? [] : ['published']
  const listed: State[] = visibility === 'public' ? ['published'] : []
  const project = () => filled.get(visibility) as Filled

  it('visitors are given what is published, in every list, feed, search and download', async () => {
    for (const { url, onlyListed } of waysOf(project())) {
      const { text } = await get(url)
      expect([url, statesIn(text)]).toEqual([url, onlyListed ? listed : given])
    }
  })

  it('the page of each entry, its pictures and its API are there for what is published alone', async () => {
    const { projectId, ids, media } = project()
    for (const state of STATES) {
      const entry = `/world/${projectId}/entries/${ids.get(state)}`
      const urls = [entry, `${entry}/share.png`, media.get(state) ?? '', `/api/projects${entry}`]
      for (const url of urls) {
        const { statusCode } = await get(url)
        expect([state, url, statusCode]).toEqual([state, url, given.includes(state) ? 200 : 404])
      }
    }
  })

  it('the sitemap and the page of its owner name it if it is listed', async () => {
    const { name, projectId, ids } = project()
    const sitemaps = ['/sitemap-projects-1.xml', '/sitemap-entries-1.xml']
    const [projects, entries] = await Promise.all(sitemaps.map(async (url) => (await get(url)).text))
    expect(projects?.includes(projectId)).toBe(visibility === 'public')
    expect(STATES.filter((state) => entries?.includes(ids.get(state) ?? ''))).toEqual(listed)
    expect((await get(`/@${name}`)).text.includes(projectId)).toBe(visibility === 'public')
  })

  it('followers are emailed what is still published', async () => {
    const { reader } = project()
    const news = m.to(reader).filter(({ subject }) => subject.startsWith('News of'))
    expect(statesIn(news.map(({ text, html }) => text + html).join())).toEqual(given)
  })

  it('a member is given what is published: by search, notifications, export and MCP', async () => {
    const { viewer, projectId } = project()
    const { url: archive } = await t.call(
      'prepareExport',
      { body: { scope: { project: projectId } } },
      { as: viewer },
    )
    const seen = ['/api/search?q=okapi', `/api/projects/${projectId}/entries?limit=24`, archive]
    for (const url of seen)
      expect([url, statesIn((await get(url, viewer)).text)]).toEqual([url, ['published']])
    const told = (await get('/api/notifications', viewer)).text
    expect(statesIn(told).filter((state) => ['draft', 'scheduled'].includes(state))).toEqual([])
    const program = await t.program(viewer)
    const { body } = await t.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        ...program.headers,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search', arguments: { q: 'okapi' } },
      },
    })
    expect(statesIn(body)).toEqual(['published'])
  })

  it('a stranger who is signed in gets no more than a visitor', async () => {
    const stranger = await t.person()
    const { projectId } = project()
    const found = [
      ['/api/search?q=okapi', []],
      [`/api/projects/${projectId}/entries?limit=24`, given],
      [`/api/projects/${projectId}/story`, given],
    ] as const
    for (const [url, states] of found)
      expect([url, statesIn((await get(url, stranger)).text)]).toEqual([url, states])
  })
})
