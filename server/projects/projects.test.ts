import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TITLE_MAX } from '#contract/parts/text.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person({ name: 'Ada Lovelace' })
})
afterAll(() => t.close())

describe('projects', () => {
  it('are private by default, and start at version 1 without progress', async () => {
    const project = await t.project(owner, { title: '  A canoe  ' })
    expect(project).toMatchObject({
      title: 'A canoe',
      isPublic: false,
      version: 1,
      progress: 0,
      milestoneCount: 0,
    })
  })

  it('are listed only for their owner, newest first', async () => {
    const writer = await t.person()
    const first = await t.project(writer)
    const second = await t.project(writer)
    await t.project(owner)
    const listed = await t.call('listProjects', {}, { as: writer })
    expect(listed.map((project) => project._id)).toEqual([second._id, first._id])
  })

  it('show the rounded share of completed milestones', async () => {
    const project = await t.project(owner)
    await t.milestone(owner, project._id, { completed: true })
    const open = await t.milestone(owner, project._id)
    await t.milestone(owner, project._id)
    const read = () => t.call('readProject', { params: { projectId: project._id } }, { as: owner })
    expect(await read()).toMatchObject({ milestoneCount: 3, completedMilestoneCount: 1, progress: 33 })

    const params = { projectId: project._id, milestoneId: open._id }
    await t.call(
      'updateMilestone',
      { params, body: { title: 'x', description: 'y', completed: true } },
      { as: owner },
    )
    expect(await read()).toMatchObject({ completedMilestoneCount: 2, progress: 67 })
    await t.call('deleteMilestone', { params }, { as: owner })
    expect(await read()).toMatchObject({ milestoneCount: 2, completedMilestoneCount: 1, progress: 50 })
  })

  it('get a new version with each update', async () => {
    const project = await t.project(owner)
    const params = { projectId: project._id }
    const body = { title: 'A kayak', description: 'Skin on frame', isPublic: true }
    expect(await t.call('updateProject', { params, body }, { as: owner })).toMatchObject({
      ...body,
      version: 2,
    })
  })

  it('stay public or private if an update omits that', async () => {
    const body = { title: 'x', description: 'y' }
    for (const isPublic of [true, false]) {
      const { _id: projectId } = await t.project(owner, { isPublic })
      const updated = await t.call('updateProject', { params: { projectId }, body }, { as: owner })
      expect(updated).toMatchObject({ ...body, isPublic, version: 2 })
    }
  })

  it('keep their texts if an update omits them', async () => {
    const { _id: projectId, title, description } = await t.project(owner)
    const updated = await t.call(
      'updateProject',
      { params: { projectId }, body: { isPublic: true } },
      { as: owner },
    )
    expect(updated).toMatchObject({ title, description, isPublic: true, version: 2 })
  })

  it('refuse an update that was based on an older version, and return the current project', async () => {
    const project = await t.project(owner)
    const params = { projectId: project._id }
    const write = { params, body: { title: 'Second', description: 'x', isPublic: false } }
    const based = { as: owner, headers: { 'if-match': `"${project.version}"` } }
    await t.call('updateProject', write, based)
    const refusal = await t.refused(
      'updateProject',
      { params, body: { title: 'Third', description: 'x' } },
      based,
    )
    expect(refusal).toMatchObject({ status: 412, code: 'stale', current: { title: 'Second', version: 2 } })
  })

  it('accept only one of many concurrent updates of the same version', async () => {
    const project = await t.project(owner)
    const writes = Array.from({ length: 8 }, (_, index) =>
      t.app.inject({
        method: 'PUT',
        url: `/api/projects/${project._id}`,
        headers: { ...owner.headers, 'if-match': '"1"' },
        payload: { title: `Writer ${index}`, description: 'x' },
      }),
    )
    const statuses = (await Promise.all(writes))
      .map((response) => response.statusCode)
      .toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
  })

  it('are deleted with their content', async () => {
    const project = await t.project(owner, { isPublic: true })
    const milestone = await t.milestone(owner, project._id)
    await t.entry(owner, milestone._id)
    const params = { projectId: project._id }
    await t.call('deleteProject', { params }, { as: owner })
    expect(await t.refused('readProject', { params }, { as: owner })).toMatchObject({ status: 404 })
    expect(await t.refused('readWorld', { params })).toMatchObject({ status: 404 })
    expect(
      await t.refused('listEntries', { params: { milestoneId: milestone._id } }, { as: owner }),
    ).toMatchObject({
      status: 404,
    })
  })

  it('get a new revision with every change of their content', async () => {
    const project = await t.project(owner)
    const revisions: number[] = []
    const note = async () => {
      const row = await t.deps.db
        .selectFrom('projects')
        .select('revision')
        .where('id', '=', project._id)
        .executeTakeFirstOrThrow()
      revisions.push(row.revision)
    }
    await note()
    const milestone = await t.milestone(owner, project._id)
    await note()
    const entry = await t.entry(owner, milestone._id)
    await note()
    const params = { milestoneId: milestone._id, entryId: entry._id }
    await t.call('updateEntry', { params, body: { title: 'x', content: 'y' } }, { as: owner })
    await note()
    await t.call('deleteEntry', { params }, { as: owner })
    await note()
    await t.call(
      'deleteMilestone',
      { params: { projectId: project._id, milestoneId: milestone._id } },
      { as: owner },
    )
    await note()
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b))
  })
})

describe('a project’s fields', () => {
  const refusedWith = async (body: object) => {
    const refusal = await t.refused('createProject', { body }, { as: owner })
    expect(refusal).toMatchObject({ status: 400, code: 'invalid' })
    return refusal.issues
  }

  it('are required, each with its own error message', async () => {
    expect(await refusedWith({})).toEqual([
      { path: 'title', message: 'Title is required' },
      { path: 'description', message: 'Description is required' },
    ])
    expect(await refusedWith({ title: ' \n\t', description: 'x' })).toEqual([
      { path: 'title', message: 'Title is required' },
    ])
  })

  it('are counted in characters, not in bytes or UTF-16 units', async () => {
    const longest = '🛶'.repeat(TITLE_MAX)
    expect(await t.project(owner, { title: longest })).toMatchObject({ title: longest })
    expect(await refusedWith({ title: `${longest}!`, description: 'x' })).toEqual([
      { path: 'title', message: `Title must be at most ${TITLE_MAX} characters` },
    ])
  })

  it('contain nothing that the database or JSON cannot represent', async () => {
    expect(await refusedWith({ title: 'a\0b', description: 'x' })).toHaveLength(1)
    expect(await refusedWith({ title: 'a\ud800b', description: 'x' })).toHaveLength(1)
  })

  it('that are not in the contract are dropped', async () => {
    const stranger = await t.person()
    const project = await t.call(
      'createProject',
      {
        body: {
          title: 'x',
          description: 'y',
          owner_id: stranger.userId,
          version: 9,
        } as never,
      },
      { as: owner },
    )
    expect(project.version).toBe(1)
    expect(await t.call('listProjects', {}, { as: stranger })).toEqual([])
  })
})

describe('the visibility of a project', () => {
  const read = (projectId: string, as?: Person) => t.call('readProject', { params: { projectId } }, { as })

  it('agrees with isPublic, which is set with it', async () => {
    expect(await t.project(owner)).toMatchObject({ isPublic: false, visibility: 'private' })
    expect(await t.project(owner, { isPublic: true })).toMatchObject({ visibility: 'public' })
    expect(await t.project(owner, { visibility: 'unlisted' })).toMatchObject({ isPublic: true })
    expect(await t.project(owner, { visibility: 'private', isPublic: true })).toMatchObject({
      isPublic: false,
      visibility: 'private',
    })
  })

  it('stays unlisted with isPublic, until it is made private or public', async () => {
    const { _id: projectId } = await t.project(owner, { visibility: 'unlisted' })
    const change = (body: object) => t.call('updateProject', { params: { projectId }, body }, { as: owner })
    expect(await change({ isPublic: true, title: 'A boat' })).toMatchObject({ visibility: 'unlisted' })
    expect(await change({ title: 'A canoe' })).toMatchObject({ visibility: 'unlisted', isPublic: true })
    expect(await change({ isPublic: false })).toMatchObject({ visibility: 'private', isPublic: false })
    expect(await change({ isPublic: true })).toMatchObject({ visibility: 'public', isPublic: true })
    expect(await change({ visibility: 'unlisted' })).toMatchObject({ isPublic: true })
    // Like a client that sends back what it received, with one field changed.
    expect(await change({ visibility: 'unlisted', isPublic: false })).toMatchObject({ visibility: 'private' })
    expect(await change({ visibility: 'private', isPublic: true })).toMatchObject({ visibility: 'public' })
    expect(await change({ visibility: 'unlisted', isPublic: true })).toMatchObject({ visibility: 'unlisted' })
    expect(await change({ visibility: 'private', isPublic: true })).toMatchObject({ visibility: 'private' })
    expect(await change({ visibility: 'unlisted' })).toMatchObject({ isPublic: true })
    const refusal = await t.refused(
      'updateProject',
      { params: { projectId }, body: { visibility: 'secret' } },
      { as: owner },
    )
    expect(refusal).toMatchObject({ status: 400, issues: [{ path: 'visibility' }] })
  })

  it('lets everybody with its link read an unlisted project', async () => {
    const { _id } = await t.project(owner, { visibility: 'unlisted' })
    expect(await read(_id)).toMatchObject({ visibility: 'unlisted' })
    const { project } = await t.call('readWorldPage', { params: { projectId: _id } })
    expect(project).toMatchObject({ isPublic: true, visibility: 'unlisted' })
  })

  it('can be set by servers of the previous release, which only use isPublic', async () => {
    const { _id } = await t.project(owner)
    const set = async (isPublic: boolean) => {
      await t.pool.query('update projects set is_public = $1 where id = $2', [isPublic, _id])
      return (await read(_id, owner)).visibility
    }
    expect(await set(true)).toBe('public')
    expect(await set(false)).toBe('private')
  })
})
