import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity } from '#contract/activity.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const MINUTE = 60_000

const page = (as: Person, projectId: string, before?: string) =>
  t.call('listActivity', { params: { projectId }, query: { ...(before && { before }) } }, { as })

/** Returns the activity that a user sees, oldest first. */
async function activityOf(as: Person, projectId: string): Promise<Activity[]> {
  return (await page(as, projectId)).activity.toReversed()
}

const kinds = async (as: Person, projectId: string) =>
  (await activityOf(as, projectId)).map(({ kind, subject }) => `${kind} ${subject}`)

const rowsIn = async (projectId: string) =>
  (await t.deps.db.selectFrom('activity').select('id').where('project_id', '=', projectId).execute()).length

async function shared() {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title: 'A canoe' })
  return { ada, projectId }
}

describe('the activity of a project', () => {
  it('records changes of the project and its milestones with their actors, in order', async () => {
    const { ada, projectId } = await shared()
    const admin = await t.member(projectId, 'admin')
    const change = (body: object, as = ada) =>
      t.call('updateProject', { params: { projectId }, body }, { as })
    const titled = { title: 'A kayak', description: 'Strip by strip' }
    await change(titled, admin)
    await change({ ...titled, isPublic: true })
    await change({ ...titled, isPublic: false })
    await change({ ...titled, isPublic: false })
    const { _id: milestoneId } = await t.milestone(admin, projectId, { title: 'Lumber' })
    const finish = (body: object) =>
      t.call('updateMilestone', { params: { projectId, milestoneId }, body }, { as: ada })
    await finish({ title: 'Lumber', description: 'Found', completed: true })
    await finish({ title: 'Lumber', description: 'Found', completed: false })
    await finish({ title: 'Wood', description: 'Found' })
    const all = await activityOf(ada, projectId)
    expect(all.map(({ kind, subject, actor }) => `${actor?.name}: ${kind} ${subject}`)).toEqual([
      'Ada: project_created A canoe',
      'The admin: project_edited A kayak',
      'Ada: project_published A kayak',
      'Ada: project_unpublished A kayak',
      'The admin: milestone_created Lumber',
      'Ada: milestone_completed Lumber',
      'Ada: milestone_reopened Lumber',
      'Ada: milestone_edited Wood',
    ])
    expect(all[2]?.details).toEqual({ visibility: 'public' })
    expect(all[4]?.milestone).toEqual({ _id: milestoneId, title: 'Wood' })
  })

  it('merges the edits of one person within ten minutes, unless somebody else edits in between', async () => {
    const { ada, projectId } = await shared()
    const editor = await t.member(projectId, 'editor')
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const { _id: entryId } = await t.entry(ada, milestoneId, { title: 'Boards' })
    const edit = (content: string, as = ada) =>
      t.call(
        'updateEntry',
        { params: { milestoneId, entryId }, body: { title: 'Boards', content, tags: [] } },
        { as },
      )
    await edit('at once')
    t.later(11 * MINUTE)
    await edit('later')
    t.later(9 * MINUTE)
    await edit('later still')
    await edit('later still', editor)
    await edit('by somebody else', editor)
    t.later(MINUTE)
    await edit('and again', editor)
    await edit('by its author')
    expect((await kinds(ada, projectId)).slice(2)).toEqual([
      'entry_written Boards',
      'entry_edited Boards',
      'entry_edited Boards',
      'entry_edited Boards',
    ])
    const [before, last] = (await activityOf(ada, projectId)).slice(-2)
    expect(before?.actor).toEqual({ name: 'The editor', isMe: false })
    expect(last).toMatchObject({
      actor: { name: 'Ada', isMe: true },
      entry: { _id: entryId, milestone: milestoneId },
    })
  })

  it('records the restoration of an earlier version, even within ten minutes of an edit', async () => {
    const { ada, projectId } = await shared()
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const { _id: entryId } = await t.entry(ada, milestoneId, { title: 'Boards' })
    const params = { milestoneId, entryId }
    const { revisions } = await t.call('listRevisions', { params, query: {} }, { as: ada })
    const revisionId = revisions[0]?._id ?? ''
    const name = { params: { ...params, revisionId }, body: { name: 'First' } }
    await t.call('nameRevision', name, { as: ada })
    await t.call('updateEntry', { params, body: { content: 'Cut' } }, { as: ada })
    await t.call('restoreRevision', { params: { ...params, revisionId } }, { as: ada })
    expect((await activityOf(ada, projectId)).slice(2).map(({ kind, details }) => [kind, details])).toEqual([
      ['entry_written', {}],
      ['entry_edited', { toRevision: true }],
    ])
  })

  it('does not record a draft before it is published', async () => {
    const { ada, projectId } = await shared()
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const { _id: entryId } = await t.entry(ada, milestoneId, { title: 'Secret', state: 'draft' })
    const update = (body: object) =>
      t.call('updateEntry', { params: { milestoneId, entryId }, body }, { as: ada })
    await update({ content: 'a secret still' })
    const quiet = await rowsIn(projectId)
    expect(await kinds(ada, projectId)).toHaveLength(quiet)
    expect(quiet).toBe(2)
    await update({ state: 'published', title: 'Told' })
    await update({ state: 'draft', title: 'Secret again' })
    await update({ content: 'what nobody is to read' })
    expect((await kinds(ada, projectId)).slice(2)).toEqual(['entry_written Told'])
    expect((await activityOf(ada, projectId)).at(-1)?.entry).toBeNull()
  })

  it('records a move in both projects, in the previous one without the destination', async () => {
    const { ada, projectId } = await shared()
    const { _id: other } = await t.project(ada, { title: 'Elsewhere' })
    const from = await t.milestone(ada, projectId, { title: 'From' })
    const to = await t.milestone(ada, projectId, { title: 'To' })
    const away = await t.milestone(ada, other, { title: 'Far off' })
    const { _id: entryId } = await t.entry(ada, from._id, { title: 'Boards' })
    const move = (milestoneId: string, milestone: string) =>
      t.call('updateEntry', { params: { milestoneId, entryId }, body: { milestone } }, { as: ada })
    await move(from._id, to._id)
    expect((await activityOf(ada, projectId)).at(-1)).toMatchObject({
      kind: 'entry_moved',
      milestone: { title: 'To' },
      entry: { milestone: to._id },
      details: {},
    })
    await move(to._id, away._id)
    const left = (await activityOf(ada, projectId)).at(-1)
    expect(left).toMatchObject({
      kind: 'entry_moved',
      milestone: { title: 'To' },
      entry: null,
      details: { movedAway: true },
    })
    expect(JSON.stringify(left)).not.toContain('Far off')
    expect((await activityOf(ada, other)).at(-1)).toMatchObject({
      milestone: { title: 'Far off' },
      entry: { milestone: away._id },
    })
  })

  it('records joining and leaving, and shows invited emails only to those who see invitations', async () => {
    const { ada, projectId } = await shared()
    const viewer = await t.member(projectId, 'viewer')
    const grace = await t.person({ name: 'Grace', email: 'grace@example.test' })
    const { inviteToken } = await t.invitation(ada, projectId, { email: grace.email })
    await t.call('acceptInvitation', { params: { inviteToken } }, { as: grace })
    const withdrawn = await t.invitation(ada, projectId, { email: 'linus@example.test' })
    const declined = await t.invitation(ada, projectId, { email: 'ken@example.test' })
    await t.call('declineInvitation', { params: { inviteToken: declined.inviteToken } })
    const remove = (collaboratorId: string) =>
      t.call('removeCollaborator', { params: { projectId, collaboratorId } }, { as: ada })
    await remove(withdrawn._id)
    const members = await t.call('listCollaborators', { params: { projectId } }, { as: ada })
    const member = members.find(({ email }) => email === grace.email)?._id ?? ''
    const params = { projectId, collaboratorId: member }
    await t.call('updateCollaborator', { params, body: { role: 'admin' } }, { as: ada })
    await remove(member)
    await t.call('leaveProject', { params: { projectId } }, { as: viewer })
    expect((await kinds(ada, projectId)).slice(1)).toEqual([
      'member_invited grace@example.test',
      'member_joined Grace',
      'member_invited linus@example.test',
      'member_invited ken@example.test',
      'member_declined ken@example.test',
      'invitation_withdrawn linus@example.test',
      'role_changed Grace',
      'member_removed Grace',
      'member_left The viewer',
    ])
    const editor = await t.member(projectId, 'editor')
    const seen = await activityOf(editor, projectId)
    expect(JSON.stringify(seen)).not.toContain('@')
    expect(seen.map(({ kind }) => kind)).toEqual([
      'project_created',
      'member_joined',
      'role_changed',
      'member_removed',
      'member_left',
    ])
  })

  it('records nothing for a change that failed', async () => {
    const { ada, projectId } = await shared()
    const { _id: milestoneId, version } = await t.milestone(ada, projectId)
    const body = { title: 'x', description: 'y' }
    const stale = { as: ada, headers: { 'if-match': `"${version + 7}"` } }
    await t.refused('updateMilestone', { params: { projectId, milestoneId }, body }, stale)
    expect(await rowsIn(projectId)).toBe(2)
  })

  it('is paginated to its beginning', { tags: ['long'] }, async () => {
    const { ada, projectId } = await shared()
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    for (let n = 0; n < 52; n += 1) await t.entry(ada, milestoneId, { title: `Day ${n}` })
    const first = await page(ada, projectId)
    expect(first.activity).toHaveLength(50)
    const second = await page(ada, projectId, first.next ?? '')
    expect(second.activity.map(({ subject }) => subject)).toEqual(['Day 1', 'Day 0', 'Lumber', 'A canoe'])
    expect(second.next).toBeNull()
    const { projectId: other, ada: somebody } = await shared()
    const query = { before: first.next ?? '' }
    const elsewhere = await t.refused(
      'listActivity',
      { params: { projectId: other }, query },
      { as: somebody },
    )
    expect(elsewhere.status).toBe(404)
  })

  it('is hidden from people who may only read a public project', async () => {
    const { ada } = await shared()
    const { _id: projectId } = await t.project(ada, { isPublic: true })
    const stranger = await t.person()
    const refusal = await t.refused('listActivity', { params: { projectId } }, { as: stranger })
    expect(refusal).toEqual({ status: 404, code: 'not_found', message: 'Project not found' })
  })

  it('keeps the last name of a deleted account, and no other change is made to a row', async () => {
    const { ada, projectId } = await shared()
    const grace = await t.member(projectId, 'editor')
    await t.milestone(grace, projectId)
    const members = await t.call('listCollaborators', { params: { projectId } }, { as: ada })
    const params = { projectId, collaboratorId: members.at(-1)?._id ?? '' }
    await t.call('updateCollaborator', { params, body: { role: 'viewer' } }, { as: ada })
    await sql`update users set name = 'Grace' where id = ${grace.userId}`.execute(t.deps.db)
    expect((await activityOf(ada, projectId)).at(-2)?.actor).toMatchObject({ name: 'Grace' })
    await sql`delete from users where id = ${grace.userId}`.execute(t.deps.db)
    const rest = (await activityOf(ada, projectId)).slice(1)
    expect(rest).toMatchObject([
      { kind: 'milestone_created', actor: { name: 'Grace' } },
      { kind: 'role_changed', subject: 'Grace' },
    ])
    const rewrite = sql`update activity set subject = 'Other' where project_id = ${projectId}`
    await expect(rewrite.execute(t.deps.db)).rejects.toThrow('what happened does not change')
  })
})
