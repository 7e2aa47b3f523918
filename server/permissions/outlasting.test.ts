import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CallName, calls } from '#contract/calls.ts'
import { createLeases } from '#server/platform/leases.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

const fields = { title: 'Another', description: 'Other', content: 'Other', isPublic: false }

/** What each call that changes something of a project is sent. Whatever may take something from the world is answered late. */
const late: { [name in CallName]?: object } = {
  updateProject: fields,
  deleteProject: {},
  updateMilestone: fields,
  deleteMilestone: {},
  updateEntry: fields,
  deleteEntry: {},
}
const prompt: { [name in CallName]?: object } = {
  createMilestone: fields,
  createEntry: fields,
  inviteCollaborator: { email: 'ada@example.test', role: 'viewer' },
  updateCollaborator: { role: 'admin' },
  removeCollaborator: {},
}

let t: TestApp
let owner: Person
/** What is done while a change waits for the leases of other servers. */
let meanwhile = async () => {}
let waits = 0
beforeAll(async () => {
  const outlast = async () => {
    waits += 1
    await meanwhile()
  }
  t = await testApp({ leases: { ...createLeases(), outlast } })
  owner = await t.person()
})
afterAll(() => t.close())
beforeEach(() => {
  meanwhile = async () => {}
})

async function place(isPublic: boolean) {
  const { _id: projectId } = await t.project(owner, { isPublic })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const { _id: entryId } = await t.entry(owner, milestoneId)
  const member = await t.member(projectId, 'viewer')
  const [listed] = await t.call('listCollaborators', { params: { projectId } }, { as: owner })
  waits = 0
  return { params: { projectId, milestoneId, entryId, collaboratorId: listed?._id ?? '' }, member }
}

const send = (name: string, params: object, body: object) =>
  t.call(name as CallName, { params, body }, { as: owner })

it('every call that changes something under a project is one that waits or one that does not', () => {
  const changing = Object.entries(calls).filter(
    ([, { method, path }]) => method !== 'GET' && /^\/api\/(projects|milestones)\/:/.test(path),
  )
  const known = [...Object.keys(late), ...Object.keys(prompt), 'leaveProject']
  expect(changing.map(([name]) => name).toSorted()).toEqual(known.toSorted())
})

describe('what may take something from the world outlasts what other servers take for granted', () => {
  it.each(Object.entries(late))('%s', async (name, body) => {
    const { params } = await place(true)
    const revision = async () => {
      const { rows } = await t.pool.query('select revision from projects where id = $1', [params.projectId])
      return rows[0]?.revision
    }
    const before = await revision()
    let during = before
    meanwhile = async () => {
      during = await revision()
      // It waits with empty hands: all connections come to rest.
      await expect.poll(() => t.pool.totalCount - t.pool.idleCount).toBe(0)
    }
    await send(name, params, body)
    expect(waits).toBe(1)
    expect(during).not.toBe(before)
  })
})

describe('nobody waits for', () => {
  it.each(Object.entries(prompt))('%s', async (name, body) => {
    await send(name, (await place(true)).params, body)
    expect(waits).toBe(0)
  })

  it('leaveProject', async () => {
    const { params, member } = await place(true)
    await t.call('leaveProject', { params }, { as: member })
    expect(waits).toBe(0)
  })

  it.each(Object.entries({ ...late, ...prompt }))('%s of a private project', async (name, body) => {
    await send(name, (await place(false)).params, body)
    expect(waits).toBe(0)
  })

  it('a change that is refused', async () => {
    const { params } = await place(true)
    await t.refused('deleteProject', { params }, { as: await t.person() })
    expect(waits).toBe(0)
  })
})
