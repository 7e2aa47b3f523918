import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EntryListPage } from '#contract/entries.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { purgeTrash } from './purge.ts'
import { deleted, type Target } from './testing.ts'

const DAY_MS = 24 * 60 * 60_000

let t: TestApp
let owner: Person
let editor: Person
let projectId: string
let milestoneId: string
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await t.person({ name: 'Ada' })
  projectId = (await t.project(owner))._id
  editor = await t.member(projectId, 'editor')
  milestoneId = (await t.milestone(owner, projectId))._id
})

const write = async (as = owner, fields: Parameters<TestApp['entry']>[2] = {}) =>
  (await t.entry(as, milestoneId, fields))._id
const trashOf = async (as: Person, page = 1) => t.call('listTrash', { query: { page } }, { as })
const listed = async (as: Person) => (await trashOf(as)).deletions
const restore = (as: Person, deletionId: string, withParents = false) =>
  t.call('restoreDeletion', { params: { deletionId }, body: { withParents } }, { as })
const refusedRestore = (as: Person, deletionId: string) =>
  t.refused('restoreDeletion', { params: { deletionId }, body: {} }, { as })
const deleteForEver = (as: Person, deletionId: string) =>
  t.call('deleteForEver', { params: { deletionId } }, { as })
const entriesOf = async (as: Person) => {
  const { entries } = (await t.call(
    'listEntries',
    { params: { milestoneId }, query: { page: 1 } },
    { as },
  )) as EntryListPage
  return entries.map(({ _id }) => _id)
}
/** Ages the trash instead of moving the clock, which would also expire tokens. */
const pass = (days: number) =>
  t.pool.query(
    'update deletions set deleted_at = deleted_at - make_interval(days => $1) where project_id = $2',
    [days, projectId],
  )
const gone = async (as: Person, deletionId: string) => {
  expect(await refusedRestore(as, deletionId)).toEqual({
    status: 404,
    code: 'not_found',
    message: 'Deletion not found',
  })
  const error = await t.refused('deleteForEver', { params: { deletionId } }, { as })
  expect(error.status).toBe(404)
  expect((await listed(as)).map(({ _id }) => _id)).not.toContain(deletionId)
}

describe('the trash', () => {
  it('lists deletions with their location, person, time, content and remaining time', async () => {
    await write()
    const entryId = await write(owner, { title: 'Glue' })
    const ofEntry = await deleted(t, editor, { milestoneId, entryId })
    const ofMilestone = await deleted(t, owner, { projectId, milestoneId })
    const { deletions, pagination, days } = await trashOf(owner)
    expect(deletions).toMatchObject([
      {
        _id: ofMilestone,
        kind: 'milestone',
        title: 'Lumber',
        project: { _id: projectId, title: 'A canoe' },
        deletedBy: { name: 'Ada' },
        milestones: 1,
        entries: 1,
        canDelete: true,
      },
      {
        _id: ofEntry,
        kind: 'entry',
        title: 'Glue',
        project: { _id: projectId, title: 'A canoe' },
        milestoneTitle: 'Lumber',
        deletedBy: { name: 'The editor' },
        milestones: 0,
        entries: 1,
      },
    ])
    const [{ deletedAt, endsAt } = { deletedAt: '', endsAt: '' }] = deletions
    expect(Date.parse(endsAt) - Date.parse(deletedAt)).toBe(30 * DAY_MS)
    expect([pagination.totalItems, days]).toEqual([2, 30])
    expect((await listed(editor)).map(({ canDelete }) => canDelete)).toEqual([false, false])
  })

  it('is paginated, latest deletion first', { tags: ['long'] }, async () => {
    const ids: string[] = []
    for (let count = 0; count < 21; count += 1)
      ids.unshift(await deleted(t, owner, { milestoneId, entryId: await write() }))
    const first = await trashOf(owner)
    expect(first.pagination).toMatchObject({ totalItems: 21, totalPages: 2, hasNext: true })
    const second = await trashOf(owner, 2)
    expect([...first.deletions, ...second.deletions].map(({ _id }) => _id)).toEqual(ids)
  })

  it('lists what the caller may edit; a deleted project is listed only for its owner, with all that was deleted from it', async () => {
    const ofEntry = await deleted(t, owner, { milestoneId, entryId: await write() })
    const viewer = await t.member(projectId, 'viewer')
    const stranger = await t.person()
    for (const person of [viewer, stranger]) await gone(person, ofEntry)
    expect((await listed(editor)).map(({ _id }) => _id)).toEqual([ofEntry])
    const ofProject = await deleted(t, owner, { projectId })
    for (const id of [ofEntry, ofProject]) await gone(editor, id)
    const mine = await listed(owner)
    expect(mine.map(({ _id }) => _id)).toEqual([ofProject, ofEntry])
    expect(mine[0]).toMatchObject({
      kind: 'project',
      title: 'A canoe',
      project: null,
      milestones: 1,
      entries: 0,
    })
  })

  it('shows and counts a draft only for its author', async () => {
    const draft = { title: 'Secret', state: 'draft' as const }
    const ofDraft = await deleted(t, editor, { milestoneId, entryId: await write(editor, draft) })
    await gone(owner, ofDraft)
    expect(await listed(editor)).toMatchObject([
      { _id: ofDraft, title: 'Secret', entries: 1, canDelete: true },
    ])
    await deleteForEver(editor, ofDraft)
    await write(editor, draft)
    await write(owner)
    await deleted(t, owner, { projectId, milestoneId })
    expect((await listed(owner)).map(({ entries }) => entries)).toEqual([1])
    expect((await listed(editor)).map(({ entries }) => entries)).toEqual([2])
    const { rows } = await t.pool.query('select distinct subject from activity where project_id = $1', [
      projectId,
    ])
    expect(rows.map(({ subject }) => subject)).not.toContain('Secret')
  })
})

describe('restoring', () => {
  it('restores exactly what one deletion removed, and not what was deleted before', async () => {
    const [kept, before] = [await write(), await write()]
    const ofEntry = await deleted(t, owner, { milestoneId, entryId: before })
    const ofMilestone = await deleted(t, editor, { projectId, milestoneId })
    expect(await restore(editor, ofMilestone)).toEqual({ project: projectId, milestone: milestoneId })
    expect(await entriesOf(owner)).toEqual([kept])
    expect(await restore(owner, ofEntry)).toEqual({
      project: projectId,
      milestone: milestoneId,
      entry: before,
    })
    expect((await entriesOf(owner)).toSorted()).toEqual([kept, before].toSorted())
    expect(await listed(owner)).toEqual([])
    expect(await restore(owner, ofEntry)).toMatchObject({ entry: before })
    await gone(editor, ofEntry)
  })

  it('is refused if the milestone or the project was deleted later, unless both are restored together', async () => {
    const [other, entryId] = [await write(), await write()]
    const ofEntry = await deleted(t, owner, { milestoneId, entryId })
    await deleted(t, owner, { projectId, milestoneId })
    expect(await refusedRestore(editor, ofEntry)).toEqual({
      status: 409,
      code: 'parent_deleted',
      message: 'This entry cannot come back without the milestone “Lumber”, deleted later.',
    })
    await deleted(t, owner, { projectId })
    expect((await refusedRestore(owner, ofEntry)).message).toContain(
      'without the project “A canoe” and the milestone “Lumber”',
    )
    await restore(owner, ofEntry, true)
    expect((await entriesOf(editor)).toSorted()).toEqual([other, entryId].toSorted())
    expect(await listed(owner)).toEqual([])
    const { rows } = await t.pool.query(
      `select kind from activity where project_id = $1 and kind like '%restored' order by id`,
      [projectId],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['project_restored', 'milestone_restored', 'entry_restored'])
  })

  it('restores memberships and invitations, which were invalid in the meantime', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    const token = { params: { inviteToken } }
    const collaborations = async (as: Person, status: 'accepted' | 'pending') =>
      (await t.call('listMyCollaborations', { query: { status } }, { as })).pagination.totalItems
    const links = async () =>
      (await t.call('listNotifications', {}, { as: grace })).notifications.map(({ data }) => data)
    const invited = { inviteToken, projectId }
    expect([await collaborations(editor, 'accepted'), await links()]).toEqual([1, [invited]])
    const id = await deleted(t, owner, { projectId })
    expect([await collaborations(editor, 'accepted'), await collaborations(grace, 'pending')]).toEqual([0, 0])
    expect(await links()).toEqual([{}])
    for (const as of [grace, undefined]) {
      expect((await t.refused('acceptInvitation', token, { as })).status).toBe(404)
      expect((await t.refused('declineInvitation', token, { as })).status).toBe(404)
    }
    await restore(owner, id)
    expect([await collaborations(editor, 'accepted'), await links()]).toEqual([1, [invited]])
    await t.call('acceptInvitation', token, { as: grace })
  })

  it('publishes events to the recipients of the deletion event, and to nobody for a draft', async () => {
    const heard: AppEvent[] = []
    const silence = t.deps.events.subscribe({ onEvent: (event) => void heard.push(event), onGap() {} })
    const ofProject = await deleted(t, owner, { projectId })
    const events = [
      { project: projectId },
      ...[owner, editor].map(({ userId }) => ({ person: userId, project: projectId })),
    ]
    await expect.poll(() => heard).toEqual(expect.arrayContaining(events))
    heard.splice(0)
    await restore(owner, ofProject)
    await expect.poll(() => heard).toEqual([{ project: projectId }])
    const entryId = await write(editor, { state: 'draft' })
    await expect.poll(() => heard.length).toBe(2)
    heard.splice(0)
    await restore(editor, await deleted(t, editor, { milestoneId, entryId }))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    expect(heard.filter((event) => !('person' in event))).toEqual([])
    silence()
  })
})

describe('deleting permanently', () => {
  it('is only allowed for the owner: rows and files are removed and no longer counted', async () => {
    const usage = async () =>
      (await t.pool.query('select text_bytes from storage_usage where user_id = $1', [owner.userId])).rows[0]
        .text_bytes
    const before = await usage()
    const id = await deleted(t, editor, {
      milestoneId,
      entryId: await write(editor, { content: 'x'.repeat(900) }),
    })
    expect(Number(await usage()) - Number(before)).toBeGreaterThan(900)
    expect((await t.refused('deleteForEver', { params: { deletionId: id } }, { as: editor })).status).toBe(
      403,
    )
    await deleteForEver(owner, id)
    expect(await usage()).toBe(before)
    for (const person of [owner, editor]) await gone(person, id)
  })

  it('includes what was deleted from it before', async () => {
    const ofEntry = await deleted(t, owner, { milestoneId, entryId: await write() })
    const ofMilestone = await deleted(t, owner, { projectId, milestoneId })
    await deleteForEver(owner, ofMilestone)
    for (const id of [ofEntry, ofMilestone]) await gone(owner, id)
    expect(await listed(owner)).toEqual([])
  })

  it('works in batches, so that no transaction locks a project for a long time; nothing can be restored once it has begun', {
    tags: ['long'],
  }, async () => {
    await t.pool.query(
      `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
       select gen_random_uuid(), $1, n::text, 'x', '{}', now(), now() from generate_series(1, 1200) n`,
      [milestoneId],
    )
    const entryId = await write()
    const ofEntry = await deleted(t, owner, { milestoneId, entryId })
    const ofProject = await deleted(t, owner, { projectId })
    await deleteForEver(owner, ofProject)
    const left = async () =>
      (await t.pool.query('select count(*)::integer from entries where milestone_id = $1', [milestoneId]))
        .rows[0].count
    expect(await left()).toBeGreaterThan(0)
    for (const id of [ofEntry, ofProject]) await gone(owner, id)
    await Promise.all([purgeTrash(t.deps), purgeTrash(t.deps)])
    expect(await left()).toBe(0)
    const { rows } = await t.pool.query('select id from projects where id = $1', [projectId])
    expect(rows).toEqual([])
  })

  it('ends after the current batch when the server shuts down', async () => {
    await deleted(t, owner, { milestoneId, entryId: await write() })
    await deleted(t, owner, { milestoneId, entryId: await write() })
    await pass(31)
    const count = async () =>
      (await t.pool.query('select count(*)::integer from entries where milestone_id = $1', [milestoneId]))
        .rows[0].count
    const before = await count()
    const shutdown = new AbortController()
    const clock = () => {
      shutdown.abort()
      return t.deps.clock()
    }
    await purgeTrash({ ...t.deps, clock }, shutdown.signal)
    expect(await count()).toBe(before - 1)
    await purgeTrash(t.deps)
    expect(await count()).toBe(before - 2)
  })

  it('happens automatically after thirty days, when nothing can be restored any more, purged or not', async () => {
    const targets: Target[] = [
      { milestoneId, entryId: await write() },
      { projectId, milestoneId },
      { projectId },
    ]
    const ids: string[] = []
    for (const target of targets) {
      ids.push(await deleted(t, owner, target))
      await pass(1)
    }
    await pass(26)
    await purgeTrash(t.deps)
    expect((await listed(owner)).map(({ _id }) => _id)).toEqual(ids.toReversed())
    await pass(2)
    await gone(owner, ids[0] ?? '')
    await gone(owner, ids[1] ?? '')
    await purgeTrash(t.deps)
    expect((await listed(owner)).map(({ _id }) => _id)).toEqual([ids[2]])
    expect(await restore(owner, ids[2] ?? '')).toEqual({ project: projectId })
    expect(await t.call('listMilestones', { params: { projectId } }, { as: owner })).toEqual([])
  })

  it('leaves no notification with a link to a deleted invitation', async () => {
    const grace = await t.person()
    await t.invitation(owner, projectId, { email: grace.email })
    await deleteForEver(owner, await deleted(t, owner, { projectId }))
    const { rows } = await t.pool.query('select data from notifications where user_id = $1', [grace.userId])
    expect(rows).toEqual([{ data: { projectId } }])
  })
})

describe('concurrently', () => {
  it('a save and a deletion: the entry is either saved first, or the save is refused', async () => {
    const entryId = await write()
    const params = { milestoneId, entryId }
    const saving = t.app.inject({
      method: 'PUT',
      url: `/api/milestones/${milestoneId}/entries/${entryId}`,
      headers: editor.headers,
      payload: { content: 'Saved at the last moment' },
    })
    const [{ statusCode }, id] = await Promise.all([saving, deleted(t, owner, { projectId })])
    expect([200, 404]).toContain(statusCode)
    await restore(owner, id)
    const { content } = await t.call('readEntry', { params }, { as: owner })
    expect(content === 'Saved at the last moment').toBe(statusCode === 200)
  })

  it('restores and a permanent deletion: either the restores succeed, once, or the deletion', {
    tags: ['long'],
  }, async () => {
    const entryId = await write()
    const answer = (request: { method: 'POST' | 'DELETE'; url: string; payload?: object }) =>
      t.app.inject({ ...request, headers: owner.headers })
    for (let round = 0; round < 4; round += 1) {
      const id = await deleted(t, owner, { projectId, milestoneId })
      const restore = () => answer({ method: 'POST', url: `/api/trash/${id}/restore`, payload: {} })
      const [first, second, deletion] = await Promise.all([
        restore(),
        restore(),
        ...(round === 3 ? [answer({ method: 'DELETE', url: `/api/trash/${id}` })] : []),
      ])
      const isRestored = first?.statusCode === 200
      expect(second?.statusCode).toBe(isRestored ? 200 : 404)
      expect([undefined, isRestored ? 404 : 204]).toContain(deletion?.statusCode)
      const found = await t.app.inject({
        url: `/api/milestones/${milestoneId}/entries/${entryId}`,
        headers: owner.headers,
      })
      expect(found.statusCode).toBe(isRestored ? 200 : 404)
    }
  })
})
