import { picture } from '#server/files/testing.ts'
import type { MailingApp } from '#server/followers/testing.ts'
import { browserAt, linkOf } from '#server/shares/testing.ts'
import type { Person } from '#server/testing/builders.ts'
import type { Sender } from '#server/testing/client.ts'
import { sendForm } from '#server/testing/form.ts'
import { deleted } from '#server/trash/testing.ts'

export const visibilities = ['private', 'unlisted', 'public', 'trashed'] as const
/** `trashed`: a public project in the trash. */
export type Visibility = (typeof visibilities)[number]

/** Entries by what became of them. `colleague`: a draft of an editor. `fallen`: one of a milestone in the trash. */
export const states = [
  'published',
  'second',
  'draft',
  'colleague',
  'scheduled',
  'trashed',
  'withdrawn',
  'fallen',
] as const
export type State = (typeof states)[number]

/** A word that is in the title, the text and the tags of an entry, and in nothing else. */
export const markerOf = (state: State) => `qx${state}`

/** Returns the entries that a text shows. */
export const shownIn = (text: string): State[] => states.filter((state) => text.includes(markerOf(state)))

/** The readable address of a project. */
export const slugOf = (visibility: Visibility) => `canoe-${visibility}`

export type Written = { _id: string; milestoneId: string; file: string }
type Answer = { statusCode: number; body: string }
export type Browser = {
  home: string
  get: (url: string, headers?: Record<string, string>) => Promise<Answer>
}

/** Who reads: with an account, or by a link that shows everything, one entry, or nothing. */
export type Reader =
  | { kind: 'account'; name: string; role: 'owner' | 'admin' | 'editor' | 'viewer' | null; as: Sender }
  | { kind: 'link'; name: string; shows: 'all' | State | 'nothing'; browser: Browser }

export type Scene = {
  visibility: Visibility
  projectId: string
  owner: Person
  entries: Record<State, Written>
  readers: Reader[]
  /** Those who are emailed: the followers, people of the circle and members of a project, who hear of what others wrote. */
  emailed: { name: string; address: string; wrote?: State }[]
  /** Had a share in the project while everything was written, and its news. */
  former: Person
  webhook: string
}

export const isLong = process.env.MILEPOST_TESTS === 'all'
/**
 * Who reads in `npm test`: of a private project one of all who have other rights or lost them, of the others some, because they differ by
 * whether members, visitors and links are let in at all. Everybody reads in `npm run test:all`.
 */
const readersInShort: Record<Visibility, string> = {
  private: 'owner, editor, former member, stranger, visitor, link, link of an entry, revoked link',
  unlisted: 'editor, stranger, link',
  public: 'owner, visitor, link of an entry',
  trashed: 'owner, visitor, link',
}

/** Creates a project with entries in each state, everybody who might see them, and everything through which they might. */
export async function createScene(m: MailingApp, visibility: Visibility): Promise<Scene> {
  const { t } = m
  const owner = await t.person({ name: 'Ada', emailVerified: true })
  const isPublic = visibility !== 'private'
  const { _id: projectId } = await t.project(owner, {
    title: 'A canoe',
    visibility: visibility === 'trashed' ? 'public' : visibility,
  })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const { _id: doomedId } = await t.milestone(owner, projectId, { title: 'Doomed' })
  const webhook = `https://example.test/${projectId}`
  await t.call('createWebhook', { params: { projectId }, body: { url: webhook } }, { as: owner })
  const join = async (role: 'admin' | 'editor' | 'viewer', name = `The ${role}`) => {
    const member = await t.member(projectId, role)
    await t.deps.db
      .updateTable('users')
      .set({ name, email_verified: true })
      .where('id', '=', member.userId)
      .execute()
    return member
  }
  const [admin, editor, viewer] = [await join('admin'), await join('editor'), await join('viewer')]
  const former = await join('admin', 'The former')
  await t.call('updateNotificationPreferences', { body: { emailsMentions: true } }, { as: viewer })

  const follower = `follower-${projectId}@example.org`
  if (isPublic) await m.follow(projectId, follower)
  const circle = `circle-${projectId}@example.org`
  await linkOf(t, owner, projectId, { name: 'Grandma', person: { email: circle } })
  await m.sendQueued()
  const asking = m.to(circle).at(-1)
  await m.post(m.pathIn(asking, '/follow'))

  await t.call('changeProfile', { body: { name: `ada-${visibility}`, isOn: true } }, { as: owner })
  await t.call('changeAddress', { params: { projectId }, body: { slug: slugOf(visibility) } }, { as: owner })

  const write = async (state: State, as: Person, milestone = milestoneId): Promise<Written> => {
    const marker = markerOf(state)
    const form = await sendForm(t.app, {
      url: `/api/milestones/${milestone}/entries`,
      as,
      fields: {
        title: marker,
        content: `About ${marker}, for @Ada, @The admin, @The editor, @The viewer and @The former`,
        tags: JSON.stringify([marker]),
        state: stateOnWire[state] ?? 'published',
        ...(state === 'scheduled' && { publishAt: new Date(Date.now() + 86_400_000).toISOString() }),
      },
      image: { bytes: await picture(40, 30).png().toBuffer() },
    })
    const { _id, imageURL } = form.json<{ _id: string; imageURL: string }>()
    return { _id, milestoneId: milestone, file: imageURL.replace(/^\/api\/media\//, '').replace(/\?.*/, '') }
  }
  const entries: Scene['entries'] = {
    published: await write('published', owner),
    second: await write('second', editor),
    draft: await write('draft', owner),
    colleague: await write('colleague', editor),
    scheduled: await write('scheduled', owner),
    trashed: await write('trashed', owner),
    withdrawn: await write('withdrawn', owner),
    fallen: await write('fallen', owner, doomedId),
  }
  await deleted(t, owner, { milestoneId, entryId: entries.trashed._id })
  const withdrawn = { milestoneId, entryId: entries.withdrawn._id }
  await t.call('updateEntry', { params: withdrawn, body: { state: 'draft' } }, { as: owner })
  await deleted(t, owner, { projectId, milestoneId: doomedId })
  const offered = { reactions: true, downloads: true }
  await t.call('changeReaders', { params: { projectId }, body: offered }, { as: owner })
  const members = await t.call('listCollaborators', { params: { projectId } }, { as: owner })
  const collaboratorId = members.find(({ email }) => email === former.email)?._id ?? ''
  await t.call('removeCollaborator', { params: { projectId, collaboratorId } }, { as: owner })

  const browse = async (path: string): Promise<Browser> => {
    const { home, get } = await browserAt(t.app, path)
    return { home, get: (url, headers) => get(url, t.app, headers) }
  }
  const open = async (fields: Parameters<typeof linkOf>[3]) =>
    browse((await linkOf(t, owner, projectId, fields)).path)
  const revoked = await linkOf(t, owner, projectId)
  const revokedBrowser = await browse(revoked.path)
  await t.call('revokeShareLink', { params: { projectId, linkId: revoked._id } }, { as: owner })
  const readers: Reader[] = [
    { kind: 'account', name: 'owner', role: 'owner', as: owner },
    { kind: 'account', name: 'admin', role: 'admin', as: admin },
    { kind: 'account', name: 'editor', role: 'editor', as: editor },
    { kind: 'account', name: 'viewer', role: 'viewer', as: viewer },
    { kind: 'account', name: 'former member', role: null, as: former },
    { kind: 'account', name: 'stranger', role: null, as: await t.person() },
    { kind: 'account', name: 'visitor', role: null, as: { headers: {} } },
    { kind: 'link', name: 'link', shows: 'all', browser: await open({}) },
    {
      kind: 'link',
      name: 'link of an entry',
      shows: 'second',
      browser: await open({ entry: entries.second._id }),
    },
    { kind: 'link', name: 'circle', shows: 'all', browser: await browse(m.pathIn(asking, '/s')) },
    { kind: 'link', name: 'locked link', shows: 'nothing', browser: await open({ password: 'canoe river' }) },
    { kind: 'link', name: 'revoked link', shows: 'nothing', browser: revokedBrowser },
  ]
  if (visibility === 'trashed') await deleted(t, owner, { projectId })
  return {
    visibility,
    projectId,
    owner,
    entries,
    readers: readers.filter(({ name }) => isLong || readersInShort[visibility].split(', ').includes(name)),
    emailed: [
      ...(isPublic ? [{ name: 'follower', address: follower }] : []),
      { name: 'circle', address: circle },
      { name: 'owner', address: owner.email, wrote: 'published' },
      { name: 'admin', address: admin.email },
      { name: 'editor', address: editor.email, wrote: 'second' },
      { name: 'viewer', address: viewer.email },
    ],
    former,
    webhook,
  }
}

const stateOnWire: { [state in State]?: string } = {
  draft: 'draft',
  colleague: 'draft',
  scheduled: 'scheduled',
}
