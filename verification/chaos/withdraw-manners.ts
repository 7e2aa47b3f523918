import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { ShareLinkFields } from '#contract/shares.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { addCollaborator, createProject } from '#testing/journal.ts'
import { assert } from './assertions.ts'

/**
 * What somebody reads: a page is read if it has the word of the entry, a picture if it is sent at all. The headers are those of
 * a visitor of a private link, or of a member.
 */
export type Way = { path: string; isPicture?: boolean; headers?: Record<string, string> }

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
  return { origin, owner, word, entryWord, name, projectId, milestoneId, ...entry }
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
  ...(
    [
      ['is revoked', (account, ref) => account.call('revokeShareLink', { params: ref })],
      ['gets a new address', (account, ref) => account.call('renewShareLink', { params: ref })],
      [
        'gets a password',
        (account, ref) => account.call('updateShareLink', { params: ref, body: { password: 'canoe river' } }),
      ],
    ] as [string, TakeLink][]
  ).map(([how, take]) => ofLink(`a private link that ${how}`, {}, take)),
  ofLink('the link of a person of the circle who is let go', { person: {} }, (account, ref) =>
    account.call('revokeShareLink', { params: ref }),
  ),
  {
    what: 'an entry that becomes a draft, by a private link',
    isOfEntry: true,
    ways: (published) => openedBy(published, {}),
    take: change({ state: 'draft' }),
  },
  {
    what: 'an entry that is deleted, by a private link to it alone',
    isOfEntry: true,
    ways: async (published) =>
      (await openedBy(published, { entry: published.entryId })).filter(({ path }) =>
        /entries|media/.test(path),
      ),
    take: (published) => published.owner.call('deleteEntry', { params: entryOf(published) }),
  },
  {
    what: 'a project that is deleted, by a private link',
    ways: (published) => openedBy(published, {}),
    take: ({ owner, projectId }) => owner.call('deleteProject', { params: { projectId } }),
  },
  {
    what: 'the membership of a private project',
    async ways(published) {
      const { owner, projectId, milestoneId, entryId } = published
      await owner.call('updateProject', { params: { projectId }, body: { visibility: 'private' } })
      const member = await createAccount(published.origin)
      await addCollaborator(owner, projectId, member)
      const { imageURL } = await member.call('readEntry', { params: { milestoneId, entryId } })
      const headers = { authorization: `Bearer ${member.token}` }
      const ofMilestone = `/api/milestones/${milestoneId}/entries`
      return [
        ...['', '/entries', '/story', '/activity'].map((rest) => `/api/projects/${projectId}${rest}`),
        ofMilestone,
        `${ofMilestone}/${entryId}`,
      ]
        .map((path): Way => ({ path, headers }))
        .concat({ path: imageURL ?? '', isPicture: true })
    },
    async take({ owner, projectId }) {
      const members = await owner.call('listCollaborators', { params: { projectId } })
      for (const { _id: collaboratorId } of members)
        await owner.call('removeCollaborator', { params: { projectId, collaboratorId } })
    },
  },
]

type TakeLink = (owner: Account, ref: { projectId: string; linkId: string }) => Promise<unknown>

/** What happens to a link, while its visitors read. */
function ofLink(what: string, fields: Partial<ShareLinkFields>, take: TakeLink): Manner {
  return {
    what,
    ways: (published) => openedBy(published, fields),
    async take({ owner, projectId }) {
      for (const { _id: linkId } of await owner.call('listShareLinks', { params: { projectId } }))
        await take(owner, { projectId, linkId })
    },
  }
}

/** Makes the project private, and returns what a visitor of a new link reads. */
async function openedBy(published: Published, fields: Partial<ShareLinkFields>): Promise<Way[]> {
  const { owner, projectId, imageURL, entryId } = published
  await owner.call('updateProject', { params: { projectId }, body: { visibility: 'private' } })
  const body = { name: 'Family', ...fields }
  const { url } = await owner.call('createShareLink', { params: { projectId }, body })
  const opened = await fetch(url ?? '', { redirect: 'manual' })
  const home = opened.headers.get('location') ?? ''
  const headers = { cookie: opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
  const file = imageURL.replace(/^\/api\/media\//, '').replace(/\?.*/, '')
  return [
    ...['', '/story', '/story/print', `/entries/${entryId}`].map((rest) => ({ path: home + rest, headers })),
    { path: `${home}/media/${file}`, isPicture: true, headers },
  ]
}
