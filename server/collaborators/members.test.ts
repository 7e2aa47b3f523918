import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type Calls, callsOf } from './testing.ts'

let t: TestApp
let calls: Calls
let owner: Person
let projectId: string
beforeAll(async () => {
  t = await testApp()
  calls = callsOf(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await t.person({ name: 'Olga Owner' })
  projectId = (await t.project(owner, { title: 'A canoe' }))._id
})

async function membershipOf(person: { email: string }) {
  return { projectId, collaboratorId: (await calls.of(owner, projectId, person))._id }
}

const setRole = async (person: { email: string }, role: CollaboratorRole, as: Person = owner) =>
  t.call('updateCollaborator', { params: await membershipOf(person), body: { role } }, { as })
const remove = async (person: { email: string }, as: Person = owner) =>
  t.call('removeCollaborator', { params: await membershipOf(person) }, { as })
const leave = (as: Person) => t.call('leaveProject', { params: { projectId } }, { as })

describe('transferring a project', () => {
  const transferTo = async (person: { email: string }) => {
    const { collaboratorId: collaborator } = await membershipOf(person)
    return { params: { projectId }, body: { collaborator } }
  }

  it('makes a member its owner, whose quota it uses from then on, and its owner an admin', async () => {
    const newOwner = await t.member(projectId, 'viewer')
    const used = async ({ userId }: Person) => (await t.deps.quotas.readAccount(t.deps.db, userId)).used
    const bytes = await used(owner)
    await t.call('transferProject', await transferTo(newOwner), { as: owner })
    expect((await t.call('listProjects', {}, { as: newOwner })).map(({ _id }) => _id)).toEqual([projectId])
    expect(await t.call('listProjects', {}, { as: owner })).toEqual([])
    expect((await calls.of(newOwner, projectId, owner)).role).toBe('admin')
    expect(await calls.list(newOwner, projectId)).toHaveLength(1)
    expect([await used(owner), await used(newOwner)]).toEqual([0, bytes])
    expect((await calls.notices(newOwner))[0]?.message).toBe('Olga Owner transferred “A canoe” to you')
    const { activity } = await t.call('listActivity', { params: { projectId } }, { as: newOwner })
    expect(activity[0]).toMatchObject({ kind: 'project_handed_over', subject: 'The viewer' })
  })

  it('is refused for people who are not members', async () => {
    const invited = await t.invitation(owner, projectId)
    const refused = await t.refused('transferProject', await transferTo(invited), { as: owner })
    expect(refused.code).toBe('conflict')
  })

  it('happens once, even if two transfers to different members run concurrently', async () => {
    const heirs = [await t.member(projectId, 'admin'), await t.member(projectId, 'editor')]
    const inputs = await Promise.all(heirs.map(transferTo))
    const outcomes = await Promise.allSettled(
      inputs.map((input) => t.call('transferProject', input, { as: owner })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const owned = await Promise.all(heirs.map((as) => t.call('listProjects', {}, { as })))
    expect(owned.flat()).toHaveLength(1)
  })

  it('is refused if the project exceeds the quota of the new owner', async () => {
    const newOwner = await t.member(projectId, 'editor')
    const quotas = createQuotas({ ...defaultQuotas, accountQuota: 5, clock: () => new Date() })
    const small = await t.replica({ quotas })
    const { body } = await transferTo(newOwner)
    const response = await small.inject({
      method: 'PUT',
      url: `/api/projects/${projectId}/owner`,
      headers: owner.headers,
      payload: body,
    })
    expect(response.statusCode).toBe(409)
    expect(await t.call('listProjects', {}, { as: newOwner })).toEqual([])
    await small.close()
  })
})

describe('the list of collaborators', () => {
  it('is in the order of invitation, with links only for those who may invite', async () => {
    const admin = await t.member(projectId, 'admin')
    const editor = await t.member(projectId, 'editor')
    const invited = await t.invitation(admin, projectId)
    for (const manager of [owner, admin]) {
      const seen = await calls.list(manager, projectId)
      expect(seen.map(({ email }) => email)).toEqual([admin.email, editor.email, invited.email])
      expect(seen.map(({ inviteToken }) => inviteToken)).toEqual([undefined, undefined, invited.inviteToken])
    }
  })

  it.each(['editor', 'viewer'] as const)('shows %ss only members', async (role) => {
    const reader = await t.member(projectId, role)
    await t.invitation(owner, projectId)
    const declined = await t.invitation(owner, projectId)
    await calls.decline(declined.inviteToken)
    const expired = await t.invitation(owner, projectId)
    await t.pool.query(`update collaborators set expires_at = now() - interval '1 day' where id = $1`, [
      expired._id,
    ])
    const seen = await calls.list(reader, projectId)
    expect(seen.map(({ email, status }) => [email, status])).toEqual([[reader.email, 'accepted']])
    expect(await calls.list(owner, projectId)).toHaveLength(4)
  })

  it('contains the name of the inviter, or Anonymous', async () => {
    await t.member(projectId, 'viewer')
    const nameless = await t.member(projectId, 'admin')
    await t.pool.query(`update users set name = '' where id = $1`, [nameless.userId])
    await t.invitation(nameless, projectId)
    const seen = await calls.list(owner, projectId)
    expect(seen.map(({ inviter }) => inviter.name)).toEqual(['Anonymous', 'Anonymous', 'Anonymous'])
    expect(seen.map(({ invitee }) => invitee?.name)).toEqual(['The viewer', 'Anonymous', undefined])
  })
})

describe('a role', () => {
  it('changes immediately, and the member is notified once', async () => {
    const member = await t.member(projectId, 'viewer')
    expect(await setRole(member, 'editor')).toMatchObject({ role: 'editor', status: 'accepted' })
    await setRole(member, 'editor')
    expect(await calls.notices(member)).toMatchObject([
      { type: 'role_updated', message: 'You are now an editor of “A canoe”', data: { projectId } },
    ])
    const rights = await t.call('readPermissions', { params: { projectId } }, { as: member })
    expect(rights).toMatchObject({ canEdit: true, role: 'editor' })
  })

  it('of an invitation changes without a notification, and applies when it is accepted', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email, role: 'viewer' })
    expect(await setRole(grace, 'admin')).toMatchObject({ role: 'admin', status: 'pending', inviteToken })
    expect(await calls.typesOf(grace)).toEqual(['collaboration_invite'])
    expect(await calls.lookUp(inviteToken)).toMatchObject({ role: 'admin' })
    expect((await calls.accept(grace, inviteToken)).collaborator.role).toBe('admin')
  })

  it('cannot be given to a person who declined', async () => {
    const invited = await t.invitation(owner, projectId)
    await calls.decline(invited.inviteToken)
    const change = { params: await membershipOf(invited), body: { role: 'admin' } }
    expect(await t.refused('updateCollaborator', change, { as: owner })).toMatchObject({ status: 409 })
  })

  it('must be one of the three', async () => {
    const change = {
      params: await membershipOf(await t.member(projectId, 'viewer')),
      body: { role: 'owner' },
    }
    expect(await t.refused('updateCollaborator', change, { as: owner })).toMatchObject({
      status: 400,
      message: 'Role must be viewer, editor or admin',
    })
  })

  it('of another admin, or their own, can be changed by an admin', async () => {
    const [one, other] = [await t.member(projectId, 'admin'), await t.member(projectId, 'admin')]
    await setRole(other, 'viewer', one)
    await setRole(one, 'editor', one)
    expect((await calls.list(owner, projectId)).map(({ role }) => role)).toEqual(['editor', 'viewer'])
  })

  it('is lost by a demoted admin immediately: of twenty concurrent changes none succeeds after it', {
    tags: ['long'],
  }, async () => {
    const admin = await t.member(projectId, 'admin')
    const target = await t.member(projectId, 'viewer')
    const params = await membershipOf(target)
    const [demoted, ...answers] = await Promise.all([
      setRole(admin, 'viewer'),
      ...Array.from({ length: 20 }, (_, index) =>
        t.app.inject({
          method: 'PUT',
          url: `/api/projects/${projectId}/collaborators/${params.collaboratorId}`,
          headers: admin.headers,
          payload: { role: index % 2 ? 'admin' : 'editor' },
        }),
      ),
    ])
    expect(demoted.role).toBe('viewer')
    expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 403)).toBe(true)
    const late = await t.refused('updateCollaborator', { params, body: { role: 'admin' } }, { as: admin })
    expect(late.status).toBe(403)
  })
})

describe('removing', () => {
  it('a member revokes their access immediately and notifies them', async () => {
    const member = await t.member(projectId, 'editor')
    await remove(member)
    expect(await t.refused('readProject', { params: { projectId } }, { as: member })).toMatchObject({
      status: 404,
    })
    expect(await calls.notices(member)).toMatchObject([
      { type: 'collaboration_removed', message: 'You no longer collaborate on “A canoe”' },
    ])
    expect(await calls.list(owner, projectId)).toEqual([])
    expect(await calls.mine(member)).toEqual([])
  })

  it('an invitation invalidates its link, also in the notification, and notifies the invitee', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    await remove(grace)
    expect(await calls.refusedAccept(grace, inviteToken)).toMatchObject({ status: 404 })
    expect(await calls.notices(grace)).toMatchObject([
      { type: 'collaboration_removed', message: 'The invitation to “A canoe” was withdrawn' },
      { type: 'collaboration_invite', data: { projectId } },
    ])
    expect(JSON.stringify(await calls.notices(grace))).not.toContain('inviteToken')
    expect(await calls.mine(grace)).toEqual([])
  })

  it('a person who declined notifies nobody', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    await calls.decline(inviteToken, grace)
    const notified = await calls.typesOf(grace)
    await remove(grace)
    expect(await calls.typesOf(grace)).toEqual(notified)
  })

  it('does not prevent another invitation', async () => {
    const member = await t.member(projectId, 'viewer')
    await remove(member)
    const { inviteToken } = await t.invitation(owner, projectId, { email: member.email })
    await calls.accept(member, inviteToken)
    expect(await calls.of(owner, projectId, member)).toMatchObject({ status: 'accepted', role: 'editor' })
  })

  it('cannot remove members of another project', async () => {
    const other = await t.project(owner)
    const elsewhere = await t.invitation(owner, other._id)
    const params = { projectId, collaboratorId: elsewhere._id }
    for (const [name, body] of [
      ['removeCollaborator', undefined],
      ['updateCollaborator', { role: 'admin' }],
    ] as const)
      expect(await t.refused(name, { params, body }, { as: owner })).toMatchObject({
        status: 404,
        message: 'Collaborator not found',
      })
  })

  it('and accepting concurrently are serialized: the second request sees the result of the first', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const grace = await t.person()
      const { inviteToken, _id } = await t.invitation(owner, projectId, { email: grace.email })
      const [accepted] = await Promise.all([
        t.app.inject({
          method: 'POST',
          url: `/api/collaborators/accept/${inviteToken}`,
          headers: grace.headers,
        }),
        t.call('removeCollaborator', { params: { projectId, collaboratorId: _id } }, { as: owner }),
      ])
      expect([200, 404]).toContain(accepted.statusCode)
      const rights = await t.call('readPermissions', { params: { projectId } }, { as: grace })
      expect(rights.canView).toBe(false)
      expect(await calls.typesOf(grace)).toEqual(['collaboration_removed', 'collaboration_invite'])
    }
  })
})

describe('leaving', () => {
  it('ends one’s own membership and notifies the owner', async () => {
    const member = await t.member(projectId, 'viewer')
    await leave(member)
    expect(await t.refused('readProject', { params: { projectId } }, { as: member })).toMatchObject({
      status: 404,
    })
    expect(await calls.notices(owner)).toMatchObject([
      { type: 'other', message: 'The viewer left “A canoe”' },
    ])
    expect(await calls.notices(member)).toEqual([])
    expect(await t.refused('leaveProject', { params: { projectId } }, { as: member })).toMatchObject({
      status: 404,
    })
  })

  it('is the same as removing oneself as an admin', async () => {
    const admin = await t.member(projectId, 'admin')
    await remove(admin, admin)
    expect(await calls.typesOf(admin)).toEqual([])
    expect(await calls.typesOf(owner)).toEqual(['other'])
  })

  it('is refused for the owner', async () => {
    expect(await t.refused('leaveProject', { params: { projectId } }, { as: owner })).toMatchObject({
      status: 403,
    })
  })
})

describe('a deleted project', () => {
  it('deletes its invitations and the links to them in notifications', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    await t.call('deleteProject', { params: { projectId } }, { as: owner })
    expect(await calls.mine(grace)).toEqual([])
    expect((await calls.notices(grace)).map(({ data }) => data)).toEqual([{}])
    expect(await calls.refusedAccept(grace, inviteToken)).toMatchObject({ status: 404 })
  })
})

describe('every change', () => {
  it('publishes events for the project and for the person', async () => {
    const heard: AppEvent[] = []
    const silence = t.deps.events.subscribe({
      onEvent: (event) => void heard.push(event),
      onGap: () => {},
    })
    const grace = await t.person()
    const toGrace = [{ person: grace.userId }, { person: grace.userId, project: projectId }]
    const toOwner = { person: owner.userId }
    const after = async (change: () => Promise<unknown>, expected: AppEvent[]) => {
      heard.length = 0
      await change()
      await expect.poll(() => heard).toEqual(expect.arrayContaining([{ project: projectId }, ...expected]))
    }
    let token = ''
    const invite = async () => {
      token = (await t.invitation(owner, projectId, { email: grace.email })).inviteToken
    }
    await after(invite, toGrace)
    await after(() => setRole(grace, 'viewer'), toGrace.slice(1))
    await after(() => remove(grace), toGrace)
    await after(invite, toGrace)
    await after(() => calls.decline(token), [...toGrace, toOwner])
    await after(invite, toGrace)
    await after(() => calls.accept(grace, token), [...toGrace, toOwner])
    await after(() => setRole(grace, 'admin'), toGrace)
    await after(() => leave(grace), [toOwner, ...toGrace.slice(1)])
    silence()
  })
})
