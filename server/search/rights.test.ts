import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { fillIndex } from './upkeep.ts'

/** What is in the index: a word for each thing, so that a hit names it. */
const KINDS = [
  'project',
  'milestone',
  'entry',
  'tag',
  'draft of the owner',
  'draft of the editor',
  'scheduled by the editor',
  'entry in the trash',
  'entry of a milestone in the trash',
  'milestone in the trash',
] as const
type Kind = (typeof KINDS)[number]

const PUBLIC_KINDS: Kind[] = ['entry', 'milestone', 'project', 'tag']

const ROLES = [
  'owner',
  'admin',
  'editor',
  'viewer',
  'invited person',
  'removed editor',
  'member who left',
  'stranger',
] as const
type Role = (typeof ROLES)[number]

/** What each role finds besides what all members do; undefined: nothing at all. */
const OWN: { [role in Role]: Kind[] | undefined } = {
  owner: ['draft of the owner'],
  admin: [],
  editor: ['draft of the editor', 'scheduled by the editor'],
  viewer: [],
  'invited person': undefined,
  'removed editor': undefined,
  'member who left': undefined,
  stranger: undefined,
}

const wordOf = (kind: Kind) => `okapi${KINDS.indexOf(kind)}`

let t: TestApp
let people: { [visibility: string]: Record<Role, Person> }
beforeAll(async () => {
  t = await testApp()
  await fillIndex(t.deps.db)
  people = {}
  for (const visibility of ['private', 'unlisted', 'public'] as const)
    people[visibility] = await fill(visibility)
})
afterAll(() => t.close())

async function fill(visibility: 'private' | 'unlisted' | 'public'): Promise<Record<Role, Person>> {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { title: wordOf('project'), visibility })
  const milestone = await t.milestone(owner, projectId, { title: wordOf('milestone') })
  const params = { milestoneId: milestone._id }
  const roles = {
    owner,
    admin: await t.member(projectId, 'admin'),
    editor: await t.member(projectId, 'editor'),
    viewer: await t.member(projectId, 'viewer'),
    'invited person': await t.person(),
    'removed editor': await t.member(projectId, 'editor'),
    'member who left': await t.member(projectId, 'editor'),
    stranger: await t.person(),
  }
  const write = (who: Person, kind: Kind, fields: object = {}) =>
    t.entry(who, params.milestoneId, { title: wordOf(kind), ...fields })
  await write(owner, 'entry')
  await t.entry(owner, params.milestoneId, { title: 'Of a tag', tags: [wordOf('tag')] })
  await write(owner, 'draft of the owner', { state: 'draft' })
  await write(roles.editor, 'draft of the editor', { state: 'draft' })
  await write(roles.editor, 'scheduled by the editor', {
    state: 'scheduled',
    publishAt: '2190-01-01T00:00:00Z',
  })
  const thrown = await write(owner, 'entry in the trash')
  await deleted(t, owner, { ...params, entryId: thrown._id })
  const gone = await t.milestone(owner, projectId, { title: wordOf('milestone in the trash') })
  await t.entry(owner, gone._id, { title: wordOf('entry of a milestone in the trash') })
  await deleted(t, owner, { projectId, milestoneId: gone._id })
  // Drafts of those who are no longer there are found by nobody.
  await t.entry(roles['removed editor'], params.milestoneId, { title: 'okapi draft', state: 'draft' })
  await t.call(
    'inviteCollaborator',
    {
      params: { projectId },
      body: { email: roles['invited person'].email, role: 'editor' },
    },
    { as: owner },
  )
  const members = await t.call('listCollaborators', { params: { projectId } }, { as: owner })
  const collaboratorId = members.find(({ email }) => email === roles['removed editor'].email)?._id ?? ''
  await t.call('removeCollaborator', { params: { projectId, collaboratorId } }, { as: owner })
  await t.call('leaveProject', { params: { projectId } }, { as: roles['member who left'] })
  return roles
}

async function kindsFoundBy(as: Person): Promise<Kind[]> {
  const found: Kind[] = []
  for (const kind of KINDS) {
    const query = { q: kind === 'tag' ? `tag:${wordOf(kind)}` : wordOf(kind) }
    const { hits } = await t.call('search', { query }, { as })
    if (hits.length > 0) found.push(kind)
  }
  return found.toSorted()
}

describe.each(['private', 'unlisted', 'public'])('in a project that is %s', (visibility) => {
  it.each(ROLES)('%s finds what they may see, and nothing else', async (role) => {
    const person = people[visibility]?.[role]
    if (!person) throw new Error('nobody')
    const own = OWN[role]
    expect(await kindsFoundBy(person)).toEqual(own ? [...PUBLIC_KINDS, ...own].toSorted() : [])
    const { hits } = await t.call('search', { query: { q: 'okapi' } }, { as: person })
    expect(hits.length > 0).toBe(own !== undefined)
    const drafts = await t.call('search', { query: { q: 'okapi is:draft' } }, { as: person })
    expect(drafts.hits.map(({ title }) => title.text).toSorted()).toEqual((own ?? []).map(wordOf).toSorted())
  })
})
