import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { type Account, createAccount } from '#testing/account.ts'
import { createProject } from '#testing/journal.ts'
import { assert } from './assertions.ts'

/**
 * What a visitor reads: a page is read if it has the word of the entry, a picture if it is sent at all. The cookie is that of a
 * private link.
 */
export type Way = { path: string; isPicture?: boolean; cookie?: string }

type Published = Awaited<ReturnType<typeof publish>>

/** Publishes a project with an entry that has a picture, and the page of its owner. */
export async function publish(origin: string) {
  const owner = await createAccount(origin)
  const word = `okapi${randomBytes(6).toString('hex')}`
  const entryWord = `${word}-entry`
  const name = `canoe-${randomBytes(6).toString('hex')}`
  await owner.call('changeProfile', { body: { name, about: 'I build', isOn: true } })
  const projectId = await createProject(owner, `Project of ${word}`, true)
  const described = { title: 'Hull', description: 'x' }
  const { _id: milestoneId } = await owner.call('createMilestone', { params: { projectId }, body: described })
  const entry = await writeWithPicture(owner, milestoneId, entryWord)
  return { owner, word, entryWord, name, projectId, milestoneId, ...entry }
}

async function writeWithPicture(owner: Account, milestoneId: string, word: string) {
  const create = { width: 64, height: 48, channels: 3, background: 'teal' } as const
  const form = new FormData()
  for (const [key, value] of Object.entries({ title: word, content: `Text of ${word}`, tags: '["wood"]' }))
    form.set(key, value)
  form.set('image', new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())]), 'a.png')
  const sent = await owner.send('createEntry', { params: { milestoneId }, body: form as never })
  assert(sent.ok, `an entry with a picture was refused with ${sent.status}`)
  const { _id: entryId, imageURL } = (await sent.json()) as { _id: string; imageURL: string }
  return { entryId, imageURL }
}

const FEEDS = ['atom', 'rss', 'json']
const ofPerson = ({ name }: Published): Way[] =>
  ['', ...FEEDS.map((format) => `/feed.${format}`)].map((rest) => ({ path: `/@${name}${rest}` }))
const ofEntry = ({ projectId, entryId, imageURL }: Published): Way[] => [
  { path: `/world/${projectId}/entries/${entryId}` },
  { path: `/world/${projectId}/entries/${entryId}/share.png`, isPicture: true },
  { path: imageURL, isPicture: true },
  { path: `/api/projects/world/${projectId}/entries/${entryId}` },
]
const ofLists = ({ projectId }: Published): Way[] =>
  [
    `/world/${projectId}`,
    `/world/${projectId}/story`,
    `/world/${projectId}/story/print`,
    `/world/${projectId}/search?q=text`,
    ...FEEDS.map((format) => `/world/${projectId}/feed.${format}`),
    `/api/projects/world/${projectId}`,
    `/api/projects/world/${projectId}/page`,
    `/api/projects/world/${projectId}/entries`,
    `/api/projects/${projectId}/story`,
  ].map((path) => ({ path }))

/** One manner in which something is taken back, and where it was given. */
export type Manner = {
  what: string
  /** Whether an entry is taken back, and its project is still seen. */
  isOfEntry?: true
  ways: (published: Published) => Way[] | Promise<Way[]>
  take: (published: Published) => Promise<unknown>
}

const everywhere = (published: Published) => [
  ...ofEntry(published),
  ...ofLists(published),
  ...ofPerson(published),
]
/** The page of a person lists projects alone. */
const withEntries = (published: Published) =>
  everywhere(published).filter(({ path }) => path !== `/@${published.name}`)
const change = (body: object) => (published: Published) =>
  published.owner.call('updateEntry', { params: entryOf(published), body })
const entryOf = ({ milestoneId, entryId }: Published) => ({ milestoneId, entryId })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

export const MANNERS: Manner[] = [
  {
    what: 'a project that is made private',
    ways: everywhere,
    take: ({ owner, projectId }) =>
      owner.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }),
  },
  {
    what: 'a project that is deleted',
    ways: everywhere,
    take: ({ owner, projectId }) => owner.call('deleteProject', { params: { projectId } }),
  },
  {
    what: 'a project that is unlisted, on the page of its owner',
    ways: ofPerson,
    take: ({ owner, projectId }) =>
      owner.call('updateProject', { params: { projectId }, body: { visibility: 'unlisted' } }),
  },
  {
    what: 'the page of a person that is switched off',
    ways: ofPerson,
    take: ({ owner }) => owner.call('changeProfile', { body: { isOn: false } }),
  },
  {
    what: 'an entry that becomes a draft',
    isOfEntry: true,
    ways: withEntries,
    take: change({ state: 'draft' }),
  },
  {
    what: 'an entry that is scheduled',
    isOfEntry: true,
    ways: withEntries,
    take: (published) => change({ state: 'scheduled', publishAt: inAnHour() })(published),
  },
  {
    what: 'an entry that is deleted',
    isOfEntry: true,
    ways: withEntries,
    take: (published) => published.owner.call('deleteEntry', { params: entryOf(published) }),
  },
  {
    what: 'a milestone that is deleted',
    isOfEntry: true,
    ways: withEntries,
    take: ({ owner, projectId, milestoneId }) =>
      owner.call('deleteMilestone', { params: { projectId, milestoneId } }),
  },
  {
    what: 'an entry that is moved into a private project',
    isOfEntry: true,
    ways: withEntries,
    async take(published) {
      const params = { projectId: await createProject(published.owner) }
      const body = { title: 'Hull', description: 'x' }
      const { _id: milestone } = await published.owner.call('createMilestone', { params, body })
      return change({ milestone })(published)
    },
  },
  {
    what: 'a private link that is revoked',
    async ways(published) {
      const { owner, projectId, imageURL, entryId } = published
      await owner.call('updateProject', { params: { projectId }, body: { visibility: 'private' } })
      const { url } = await owner.call('createShareLink', { params: { projectId }, body: { name: 'Family' } })
      const opened = await fetch(url ?? '', { redirect: 'manual' })
      const home = opened.headers.get('location') ?? ''
      const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
      const file = imageURL.replace(/^\/api\/media\//, '')
      return [
        { path: home, cookie },
        { path: `${home}/story`, cookie },
        { path: `${home}/entries/${entryId}`, cookie },
        { path: `${home}/media/${file}`, isPicture: true, cookie },
      ]
    },
    async take({ owner, projectId }) {
      const links = await owner.call('listShareLinks', { params: { projectId } })
      for (const { _id: linkId } of links)
        await owner.call('revokeShareLink', { params: { projectId, linkId } })
    },
  },
]
