import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Entry } from '#contract/entries.ts'
import type { Call } from '#contract/parts/call.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { deleted, type Target } from '#server/trash/testing.ts'

/** Two servers on one database, and a picture to upload. */
let t: TestApp
let other: FastifyInstance
let jpeg: Buffer
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  other = await t.replica()
  jpeg = await picture(640, 480).jpeg().toBuffer()
})
afterAll(async () => {
  await other.close()
  await t.close()
})

type People = Record<'owner' | 'editor' | 'viewer' | 'stranger' | 'visitor', Person | null>
type Scene = {
  people: People
  owner: Person
  place: Required<Target>
  ids: Record<string, string>
  /** The ids that each deletion removes. */
  below: Record<'entry' | 'milestone' | 'project', string[]>
  /** All URLs of pictures and files that anybody received, signed or not. */
  media: string[]
}

/** A public project with two entries, one of which has a picture, a cover and an image. */
async function setUp(): Promise<Scene> {
  const files = uploader(t)
  const owner = await t.person()
  const beside = await t.project(owner, { isPublic: true }) // so that the sitemap is not empty
  await t.entry(owner, (await t.milestone(owner, beside._id))._id)
  const { _id: projectId } = await t.project(owner, { title: 'A canoe' })
  const [editor, viewer] = [await t.member(projectId, 'editor'), await t.member(projectId, 'viewer')]
  const { _id: milestoneId } = await t.milestone(owner, projectId, { title: 'Steaming' })
  const { _id: restId } = await t.milestone(owner, projectId, { title: 'Lumber' })
  await t.entry(owner, restId, { tags: ['wood'] })
  const send = (as: Person, name: string) => files.upload(as, projectId, { name, bytes: jpeg })
  const [shown, cover] = [await send(editor, 'a.jpg'), await send(editor, 'b.jpg')]
  const face = await send(owner, 'c.jpg')
  await t.call('updateProject', { params: { projectId }, body: { coverFile: face._id } }, { as: owner })
  const content = `Ribs bend.\n\n![Ribs](${shown.url})`
  const fields = { title: 'Ribs', content, tags: ['steam'], coverFile: cover._id }
  const { _id: entryId } = await t.entry(editor, milestoneId, fields)
  const form = await sendForm(t.app, {
    url: `/api/milestones/${milestoneId}/entries`,
    as: editor,
    fields: { title: 'Planks', content: 'x', tags: '[]' },
    image: { bytes: await picture(40, 30).png().toBuffer() },
  })
  const { _id: imageEntryId, imageURL = '' } = form.json<Entry>()
  const { inviteToken } = await t.invitation(owner, projectId)
  const { revisions } = await t.call('listRevisions', { params: { milestoneId, entryId } }, { as: owner })
  const revisionId = revisions[0]?._id ?? ''
  const people = { owner, editor, viewer, stranger: await t.person(), visitor: null }
  const ids = { projectId, milestoneId, entryId, inviteToken, revisionId }
  const media = new Set<string>([`/files/${shown._id}`, `/files/${cover._id}`, `/files/${face._id}`])
  const collect = async () => {
    for (const person of Object.values(people))
      for (const url of [
        `/api/projects/${projectId}`,
        `/api/milestones/${milestoneId}/entries`,
        `/api/milestones/${milestoneId}/entries/${entryId}`,
      ]) {
        const { body } = await t.app.inject({ url, headers: person?.headers ?? {} })
        for (const [found] of body.matchAll(/\/api\/media\/[^"\s\\]+/g))
          media.add(found.replaceAll('&amp;', '&'))
      }
  }
  await collect() // signed URLs, while the project is private
  const body = { title: 'A canoe', description: 'x', visibility: 'public' as const }
  await t.call('updateProject', { params: { projectId }, body }, { as: owner })
  await collect()
  const imageId = /media\/([^/]+)/.exec(imageURL)?.[1] ?? ''
  const ofEntry = [entryId, shown._id, cover._id, revisionId]
  const ofMilestone = [milestoneId, imageEntryId, imageId, ...ofEntry]
  return {
    people,
    owner,
    place: { projectId, milestoneId, entryId },
    ids,
    below: {
      entry: ofEntry,
      milestone: ofMilestone,
      project: [projectId, face._id, inviteToken, restId, ...ofMilestone],
    },
    media: [...media],
  }
}

/** Returns every URL for reading: those of the contract for each person, and the pages and pictures for the visitor. */
function urlsOf({ ids, media, below }: Scene): { ofCalls: string[]; forAll: string[] } {
  const fill = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? ids.entryId ?? '')
  const ofCalls = Object.values<Call>(calls)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => fill(path))
  const world = fill('/world/:projectId')
  const list = fill('/api/milestones/:milestoneId/entries')
  return {
    ofCalls: [
      ...ofCalls,
      `${list}?page=1`,
      `${list}?page=1&search=Ribs`,
      `${list}?page=1&tag=steam`,
      `${fill('/api/projects/:projectId/files')}?ids=${below.entry.join(',')}`,
    ],
    forAll: [
      ...media,
      world,
      fill(`${world}?milestone=:milestoneId`),
      fill(`${world}/entries/:entryId`),
      ...['atom', 'rss', 'json'].map((format) => `${world}/feed.${format}`),
      `${world}/share.png`,
      fill(`${world}/entries/:entryId/share.png`),
      '/sitemap-projects-1.xml',
      '/sitemap-entries-1.xml',
      '/sitemap.xml',
    ],
  }
}

type PageResponse = { status: number; body: string; etag: string | undefined }

/** Requests by these go to the second server too. It differs only in its caches, for the public and for members. */
const OF_BOTH = ['viewer', 'visitor']

/** Returns the responses to everybody at every URL, by person, server and URL. */
async function fetchAll(
  scene: Scene,
  before?: Map<string, PageResponse>,
): Promise<Map<string, PageResponse>> {
  const responses = new Map<string, PageResponse>()
  const { ofCalls, forAll } = urlsOf(scene)
  for (const [who, person] of Object.entries(scene.people))
    for (const url of person ? ofCalls : [...ofCalls, ...forAll])
      for (const [server, app] of Object.entries({ first: t.app, ...(OF_BOTH.includes(who) && { other }) })) {
        const key = `${who} at the ${server}: ${url}`
        const etag = before?.get(key)?.etag
        const headers = { ...person?.headers, ...(etag && { 'if-none-match': etag }) }
        const response = await app.inject({ url, headers })
        const { statusCode: status, body } = response
        responses.set(key, { status, body, etag: response.headers.etag })
      }
  return responses
}

/** URLs that by design mention deleted things to members: activity and the trash. */
const isRecord = (url: string) => /\/activity$|\/api\/trash$/.test(url)

const statuses = (responses: Map<string, PageResponse>) =>
  new Map([...responses].map(([url, { status }]) => [url, status]))

it('deleted resources are gone from every URL on every server when the call returns, and return with a restore', async () => {
  const scene = await setUp()
  const { owner, below, place } = scene
  const before = await fetchAll(scene)
  const had = [...before].filter(([, { status }]) => status < 400).map(([url]) => url)
  for (const id of below.entry) expect(had.filter((url) => url.includes(id))).not.toEqual([])

  const { projectId, milestoneId, entryId } = place
  const places = {
    entry: { milestoneId, entryId },
    milestone: { projectId, milestoneId },
    project: { projectId },
  }
  for (const kind of ['entry', 'milestone', 'project'] as const) {
    const names = (text: string) => below[kind].find((id) => text.includes(id))
    const deletionId = await deleted(t, owner, places[kind])
    const after = await fetchAll(scene, before)
    const wrong = had.filter((url) => {
      const { status, body } = after.get(url) ?? { status: 0, body: '' }
      const isOfProject = /\/files\?ids=|\?milestone=/.test(url) && kind !== 'project'
      if (names(url) && !isOfProject) return status !== 404
      return status >= 400 || (names(body) !== undefined && !isRecord(url))
    })
    expect([kind, wrong]).toEqual([kind, []])
    await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
  }
  expect(statuses(await fetchAll(scene))).toEqual(statuses(before))
})
