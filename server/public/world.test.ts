import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function published() {
  const owner = await t.person({ name: 'Grace Hopper', email: 'grace@example.com' })
  const project = await t.project(owner, { isPublic: true })
  const early = await t.milestone(owner, project._id, { title: 'Early', completed: true })
  const late = await t.milestone(owner, project._id, { title: 'Late' })
  await t.entry(owner, early._id, { title: 'One' })
  await t.entry(owner, early._id, { title: 'Two' })
  return { owner, project, early, late, params: { projectId: project._id } }
}

describe('a visitor', () => {
  it('sees a public project: milestones oldest first, entries newest first', async () => {
    const { params } = await published()
    const world = await t.call('readWorld', { params })
    expect(world.project).toMatchObject({ isPublic: true, progress: 50, user: { name: 'Grace Hopper' } })
    expect(world.milestones.map((m) => [m.title, m.entries.map((e) => e.title)])).toEqual([
      ['Early', ['Two', 'One']],
      ['Late', []],
    ])
  })

  it('sees neither the email nor the id of the owner', async () => {
    const { params, owner } = await published()
    const world = JSON.stringify(await t.call('readWorld', { params }))
    expect(world).not.toContain('grace@example.com')
    expect(world).not.toContain(owner.userId)
  })

  it('is sent long entries one after another, not as one text of megabytes', async () => {
    const { owner, project, late } = await published()
    for (const title of ['Long', 'Longer'])
      await t.entry(owner, late._id, { title, content: 'x'.repeat(150_000) })
    for (const url of [
      `/api/projects/world/${project._id}/entries`,
      `/api/projects/${project._id}/entries?sort=newest`,
    ]) {
      const { statusCode, headers, body } = await t.app.inject({ url, headers: owner.headers })
      expect(statusCode).toBe(200)
      expect(headers).not.toHaveProperty('content-length')
      expect(body.length).toBeGreaterThan(300_000)
    }
  })

  it('sees an owner without a name as Anonymous', async () => {
    const owner = await t.person({ name: ' ' })
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    const { project } = await t.call('readWorld', { params: { projectId } })
    expect(project.user).toEqual({ name: 'Anonymous' })
  })

  it('cannot distinguish a private project from one that never existed', async () => {
    const owner = await t.person()
    const hidden = await t.project(owner)
    const of = (projectId: string) => t.refused('readWorld', { params: { projectId } }, { as: owner })
    const absent = await of('0199f1f0-0000-7000-8000-000000000000')
    expect(await of(hidden._id)).toEqual(absent)
    expect(await of('not-an-id')).toEqual(absent)
    expect(absent).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('no longer sees a project as soon as it is made private', async () => {
    const { params, owner } = await published()
    await t.call(
      'updateProject',
      { params, body: { title: 'x', description: 'y', isPublic: false } },
      { as: owner },
    )
    expect(await t.refused('readWorld', { params })).toMatchObject({ status: 404 })
  })
})

describe('the statistics', () => {
  it('count the current rows, at most every ten seconds', async () => {
    const before = await t.call('readStats', {})
    const people = await t.call('countUsers', {})
    await published()
    expect(await t.call('readStats', {}), 'for ten seconds').toEqual(before)
    t.later(10_000)
    expect(await t.call('readStats', {})).toEqual({
      projects: before.projects + 1,
      milestones: before.milestones + 2,
      entries: before.entries + 2,
    })
    expect(await t.call('countUsers', {})).toEqual({ total: people.total + 1 })
  })
})
