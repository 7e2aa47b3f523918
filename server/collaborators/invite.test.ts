import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InvitationDetails } from '#contract/collaborators.ts'
import { derive } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type Calls, callsOf } from './testing.ts'

const DAY = 24 * 60 * 60_000

let t: TestApp
let owner: Person
let projectId: string
let calls: Calls
beforeAll(async () => {
  t = await testApp()
  calls = callsOf(t)
})
afterAll(() => t.close())

beforeEach(async () => {
  owner = await t.person({ name: 'Olga Owner' })
  projectId = (await t.project(owner, { title: 'A canoe' }))._id
})

describe('an invitation', () => {
  it('is a pending collaborator with a link of 256 bits that is valid for seven days', async () => {
    const { inviteToken, expiresAt, createdAt, ...rest } = await t.invitation(owner, projectId, {
      email: 'Grace+boats@Example.test',
      role: 'admin',
    })
    expect(rest).toEqual({
      _id: expect.any(String),
      email: 'Grace+boats@Example.test',
      role: 'admin',
      status: 'pending',
      joinedAt: null,
      inviter: { name: 'Olga Owner' },
      invitee: null,
      project: projectId,
      recipients: [],
    })
    expect(Buffer.from(inviteToken, 'base64url')).toHaveLength(32)
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(7 * DAY)
  })

  it('has the role of a viewer by default', async () => {
    const body = { email: 'default@example.test' }
    const invited = await t.call('inviteCollaborator', { params: { projectId }, body }, { as: owner })
    expect(invited.role).toBe('viewer')
  })

  it('can be looked up by anybody with the link, without side effects', async () => {
    const { inviteToken } = await t.invitation(owner, projectId)
    const before = await calls.list(owner, projectId)
    expect(await calls.lookUp(inviteToken)).toEqual({
      projectTitle: 'A canoe',
      projectDescription: 'Strip by strip',
      role: 'editor',
      inviter: { name: 'Olga Owner' },
      project: {
        _id: projectId,
        members: expect.arrayContaining([{ name: 'Olga Owner' }]),
        memberCount: expect.any(Number),
        milestones: [],
        milestoneCount: 0,
        lastEntry: null,
      },
      requiresAuth: true,
    })
    expect(await calls.list(owner, projectId)).toEqual(before)
  })

  it('tells whoever has its link of the members, milestones and last entry of its project', async () => {
    const { _id } = await t.project(owner)
    await t.member(_id, 'viewer')
    for (const title of ['1', '2', '3', '4', '5', '6']) await t.milestone(owner, _id, { title })
    const { _id: milestoneId } = await t.milestone(owner, _id, { title: '7', completed: true })
    await t.entry(owner, milestoneId, { title: 'Told' })
    const draft = { title: 'Hidden', content: 'Not yet', tags: [], state: 'draft' as const }
    await t.call('createEntry', { params: { milestoneId }, body: draft }, { as: owner })
    const { inviteToken } = await t.invitation(owner, _id)
    const { project } = (await calls.lookUp(inviteToken)) as InvitationDetails
    expect(project).toMatchObject({ _id, memberCount: 2, milestoneCount: 7, lastEntry: { title: 'Told' } })
    expect(project.members[0]).toEqual({ name: 'Olga Owner' })
    expect(project.milestones.map(({ title }) => title)).toEqual(['3', '4', '5', '6', '7'])
    expect(project.milestones.at(-1)).toEqual({ title: '7', completed: true })
  })

  it('makes the invited person a member', async () => {
    const grace = await t.person({ name: 'Grace Hopper' })
    const { inviteToken, _id } = await t.invitation(owner, projectId, { email: grace.email.toUpperCase() })
    const { collaborator, redirectTo } = await calls.accept(grace, inviteToken)
    expect(redirectTo).toBe(`/projects/${projectId}`)
    expect(collaborator).toMatchObject({
      _id,
      role: 'editor',
      status: 'accepted',
      invitee: { name: 'Grace Hopper' },
      expiresAt: null,
    })
    expect(collaborator.joinedAt).not.toBeNull()
    expect(collaborator).not.toHaveProperty('inviteToken')
    const rights = await t.call('readPermissions', { params: { projectId } }, { as: grace })
    expect(rights).toMatchObject({ role: 'editor', canEdit: true, canManageCollaborators: false })
  })

  it('is accepted only by the invited email; others get instructions, and nothing changes', async () => {
    const { inviteToken, email } = await t.invitation(owner, projectId)
    const eve = await t.person()
    expect(await calls.refusedAccept(eve, inviteToken)).toMatchObject({
      status: 403,
      code: 'wrong_account',
      message: expect.stringContaining('Sign in with the address that was invited'),
    })
    expect(await t.refused('declineInvitation', { params: { inviteToken } }, { as: eve })).toMatchObject({
      code: 'wrong_account',
    })
    expect((await calls.list(owner, projectId)).find((row) => row.email === email)).toMatchObject({
      status: 'pending',
      inviteToken,
    })
  })

  it('to the email of an account shows the inviter the name of the account', async () => {
    const [grace, namesake] = [await t.person({ name: 'Grace Hopper' }), await t.person({ name: '' })]
    await t.pool.query('update users set email = upper($1) where id = $2', [grace.email, namesake.userId])
    const body = { email: grace.email, role: 'viewer' as const }
    const invite = { params: { projectId }, body }
    const { recipients } = await t.call('inviteCollaborator', invite, { as: owner })
    expect(recipients?.map(({ name }) => name).toSorted()).toEqual(['Anonymous', 'Grace Hopper'])
    expect(JSON.stringify(await calls.list(owner, projectId))).not.toContain('recipients')
  })

  it('is stored with a hash and an encrypted token, and nowhere with the plain token', async () => {
    const grace = await t.person()
    const { inviteToken, _id } = await t.invitation(owner, projectId, { email: grace.email })
    const { rows: tables } = await t.pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const holding = []
    for (const { name } of tables) {
      const { rows } = await t.pool.query(`select from ${name} t where strpos(t::text, $1) > 0`, [
        inviteToken,
      ])
      if (rows.length > 0) holding.push(name)
    }
    expect(holding).toEqual([])
    const row = await t.deps.db
      .selectFrom('collaborators')
      .select(['token_hash', 'invite_token_encrypted'])
      .where('id', '=', _id)
      .executeTakeFirstOrThrow()
    expect(row.token_hash).toBe(hashOfToken(inviteToken, 'hex'))
    expect(row.invite_token_encrypted?.includes(inviteToken)).toBe(false)
  })
})

describe('after the token secret was replaced without the previous one', () => {
  it('the link still works but cannot be copied, and inviting again creates another', async () => {
    const grace = await t.person()
    const first = await t.invitation(owner, projectId, { email: grace.email })
    const tokenCipher = createTokenCipher({ current: derive('another secret of the tests'), previous: null })
    const restarted = await t.replica({ tokenCipher })
    const url = `/api/projects/${projectId}/collaborators`
    const [listed] = (await restarted.inject({ url, headers: owner.headers })).json()
    expect(listed).toMatchObject({ _id: first._id, status: 'pending' })
    expect(listed).not.toHaveProperty('inviteToken')
    expect(await calls.lookUp(first.inviteToken)).toMatchObject({ projectTitle: 'A canoe' })

    const payload = { email: grace.email, role: 'viewer' }
    const again = await restarted.inject({ method: 'POST', url, headers: owner.headers, payload })
    expect([again.statusCode, again.json()._id]).toEqual([201, first._id])
    expect(await calls.refusedAccept(grace, first.inviteToken)).toMatchObject({ status: 404 })
    await calls.accept(grace, again.json().inviteToken)
    await restarted.close()
  })
})

describe('accepting', () => {
  it('again with the same link returns the same response and notifies nobody twice', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    const first = await calls.accept(grace, inviteToken)
    const notified = await calls.typesOf(owner)
    expect(await calls.accept(grace, inviteToken)).toEqual(first)
    expect(await calls.typesOf(owner)).toEqual(notified)
  })

  it('invalidates the link for everybody else', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    await calls.accept(grace, inviteToken)
    const dead = { status: 404, message: 'This invitation link is invalid or has expired.' }
    expect(await calls.refusedAccept(undefined, inviteToken)).toMatchObject(dead)
    expect(await calls.refusedAccept(await t.person(), inviteToken)).toMatchObject(dead)
    expect(await t.refused('declineInvitation', { params: { inviteToken } }, { as: grace })).toMatchObject(
      dead,
    )
  })

  it('twenty times concurrently creates one member and one notification each', {
    tags: ['long'],
  }, async () => {
    const admin = await t.member(projectId, 'admin')
    const grace = await t.person({ name: 'Grace Hopper' })
    const { inviteToken } = await t.invitation(admin, projectId, { email: grace.email })
    const before = (await calls.notices(owner)).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.accept(grace, inviteToken)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await calls.list(owner, projectId)).filter(({ email }) => email === grace.email)).toHaveLength(1)
    const notified = (await calls.notices(owner)).slice(0, (await calls.notices(owner)).length - before)
    expect(notified).toMatchObject([
      {
        type: 'collaboration_accepted',
        message: 'Grace Hopper accepted the invitation to “A canoe”',
        data: { projectId },
      },
    ])
    expect(await calls.typesOf(admin)).toEqual(['collaboration_accepted'])
  })

  it('is refused for members of the project', async () => {
    const { inviteToken } = await t.invitation(owner, projectId, { email: 'owner-later@example.test' })
    await t.pool.query('update users set email = $1 where id = $2', [
      'owner-later@example.test',
      owner.userId,
    ])
    expect(await calls.refusedAccept(owner, inviteToken)).toMatchObject({ status: 409 })
    const member = await t.member(projectId, 'viewer')
    const second = await t.invitation(owner, projectId, { email: 'second@example.test' })
    await t.pool.query('update users set email = $1 where id = $2', ['second@example.test', member.userId])
    expect(await calls.refusedAccept(member, second.inviteToken)).toMatchObject({
      status: 409,
      message: 'You are a collaborator of this project already',
    })
  })
})

describe('a response to an invitation', () => {
  it.each(['accept', 'decline'])(
    '(%s) marks the notification of the invitation as read for the person who answered, and nothing else',
    async (answer) => {
      const grace = await t.person()
      await t.invitation(owner, (await t.project(owner))._id, { email: grace.email })
      const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
      if (answer === 'accept') await calls.accept(grace, inviteToken)
      else await calls.decline(inviteToken, grace)
      expect((await calls.notices(grace)).map(({ isRead }) => isRead)).toEqual([true, false])
    },
  )
})

describe('declining', () => {
  it('requires only the link, and notifies the owner and the inviter once each', async () => {
    const admin = await t.member(projectId, 'admin')
    const { inviteToken, email, _id } = await t.invitation(admin, projectId)
    await calls.decline(inviteToken)
    expect((await calls.list(owner, projectId)).find((row) => row._id === _id)).toMatchObject({
      status: 'declined',
      invitee: null,
      expiresAt: null,
    })
    const notified = [
      { type: 'collaboration_declined', message: `${email} declined the invitation to “A canoe”` },
    ]
    expect(await calls.notices(owner)).toMatchObject(notified)
    expect(await calls.notices(admin)).toMatchObject(notified)
    expect(await calls.refusedAccept(undefined, inviteToken)).toMatchObject({ status: 404 })
  })

  it('while signed in records the person; twenty concurrent requests count once', async () => {
    const grace = await t.person({ name: 'Grace Hopper' })
    const { inviteToken, _id } = await t.invitation(owner, projectId, { email: grace.email })
    const before = (await calls.notices(owner)).length
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        t.app.inject({
          method: 'POST',
          url: `/api/collaborators/decline/${inviteToken}`,
          headers: grace.headers,
        }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(19)
    expect((await calls.list(owner, projectId)).find((row) => row._id === _id)?.invitee).toEqual({
      name: 'Grace Hopper',
    })
    expect((await calls.notices(owner)).length - before).toBe(1)
  })
})

describe('expiry', () => {
  it('invalidates the link, and the invited person still sees the invitation', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    expect(await calls.mine(grace)).toMatchObject([{ status: 'pending', inviteToken }])
    t.later(7 * DAY + 1000)
    const dead = { status: 410, code: 'expired', message: 'This invitation link is invalid or has expired.' }
    expect(await calls.refusedAccept(undefined, inviteToken)).toMatchObject(dead)
    const back = await calls.signedInAgain(grace)
    expect(await calls.refusedAccept(back, inviteToken)).toMatchObject(dead)
    expect(await t.refused('declineInvitation', { params: { inviteToken } })).toMatchObject(dead)
    const [seen] = await calls.mine(back)
    expect(seen).toMatchObject({ status: 'pending' })
    expect(seen).not.toHaveProperty('inviteToken')
    t.later(-7 * DAY - 1000)
  })
})

describe('inviting', () => {
  it('is refused for oneself, the owner, members, and people who are already invited', async () => {
    const admin = await t.member(projectId, 'admin')
    const { email } = await t.invitation(owner, projectId)
    const errors = await Promise.all([
      calls.refusedInvite(owner, projectId, owner.email.toUpperCase()),
      calls.refusedInvite(admin, projectId, admin.email),
      calls.refusedInvite(admin, projectId, owner.email),
      calls.refusedInvite(owner, projectId, admin.email.toUpperCase()),
      calls.refusedInvite(owner, projectId, email.toUpperCase()),
    ])
    expect(errors.map(({ status, message }) => `${status} ${message}`)).toEqual([
      '409 You cannot invite yourself',
      '409 You cannot invite yourself',
      '409 The owner of the project cannot be invited',
      `409 ${admin.email.toUpperCase()} is already a collaborator of this project`,
      `409 ${email.toUpperCase()} is already invited to this project`,
    ])
  })

  it('again after a decline renews the same row with another link', async () => {
    const grace = await t.person()
    const first = await t.invitation(owner, projectId, { email: grace.email, role: 'admin' })
    await calls.decline(first.inviteToken, grace)
    t.later(1000)
    const second = await t.invitation(owner, projectId, { email: grace.email, role: 'viewer' })
    expect(second).toMatchObject({ _id: first._id, status: 'pending', role: 'viewer', invitee: null })
    expect(second.inviteToken).not.toBe(first.inviteToken)
    expect(Date.parse(second.createdAt)).toBeGreaterThan(Date.parse(first.createdAt))
    expect(await calls.refusedAccept(grace, first.inviteToken)).toMatchObject({ status: 404 })
    expect(await calls.typesOf(grace)).toEqual(['collaboration_invite', 'collaboration_invite'])
    expect((await calls.notices(grace)).map(({ data }) => data.inviteToken)).toEqual([
      second.inviteToken,
      undefined,
    ])
    await calls.accept(grace, second.inviteToken)
  })

  it('the same email twenty times concurrently creates one invitation', async () => {
    const body = { email: 'race@example.test', role: 'viewer' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        t.app.inject({
          method: 'POST',
          url: `/api/projects/${projectId}/collaborators`,
          headers: owner.headers,
          payload: body,
        }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
    expect((await calls.list(owner, projectId)).filter(({ email }) => email === body.email)).toHaveLength(1)
  })
})
