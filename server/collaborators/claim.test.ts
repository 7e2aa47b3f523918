import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type Calls, callsOf } from './testing.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

let t: TestApp
let calls: Calls
let owner: Person
let projectId: string
let number = 0
beforeEach(async () => {
  owner = await t.person({ name: 'Olga Owner', emailVerified: true })
  projectId = (await t.project(owner, { title: 'A canoe' }))._id
})

const address = () => `newcomer-${++number}@example.test`

/** The attack: somebody who learns of an invitation registers its email and reads what that account may see. */
describe('a person who registers an email that was invited before, on a server without mail', () => {
  beforeAll(async () => {
    t = await testApp()
    calls = callsOf(t)
  })
  afterAll(() => t.close())

  it('gets no token from a list or a notification, and joins only by the link', async () => {
    const viewer = await t.member(projectId, 'viewer')
    const invited = await t.invitation(owner, projectId, { email: address(), role: 'admin' })
    expect((await calls.list(viewer, projectId)).map(({ email }) => email)).toEqual([viewer.email])

    const attacker = await t.person({ email: invited.email.toUpperCase() })
    for (const person of [attacker, await calls.signedInAgain(attacker)]) {
      expect(await calls.mine(person)).toEqual([])
      expect(await calls.notices(person)).toEqual([])
    }
    for (const guess of [invited._id, attacker.userId, ''])
      expect(await calls.refusedAccept(attacker, `${guess}x`)).toMatchObject({ status: 404 })
    const rights = await t.call('readPermissions', { params: { projectId } }, { as: attacker })
    expect(rights).toMatchObject({ canView: false, role: null })

    const { collaborator } = await calls.accept(attacker, invited.inviteToken)
    expect(collaborator.role).toBe('admin')
  })

  it('gets nothing for a later or a former email of their account', async () => {
    const email = address()
    await t.invitation(owner, projectId, { email })
    const renamed = await calls.signedInAgain(await t.person(), { email })
    expect([await calls.mine(renamed), await calls.notices(renamed)]).toEqual([[], []])

    const invited = await t.invitation(owner, projectId, { email: renamed.email.replace('@', '+2@') })
    const second = await calls.signedInAgain(renamed, { email: invited.email })
    expect([await calls.mine(second), await calls.notices(second)]).toEqual([[], []])
  })

  it('finds the invitation if their account is older', async () => {
    const grace = await t.person({ email: address() })
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email.toUpperCase() })
    await t.person({ email: grace.email })
    expect(await calls.mine(grace)).toMatchObject([{ status: 'pending', inviteToken, invitee: null }])
    expect(await calls.notices(grace)).toMatchObject([{ data: { inviteToken, projectId } }])
    const later = await t.person({ email: grace.email })
    expect([await calls.mine(later), await calls.notices(later)]).toEqual([[], []])
    await calls.accept(grace, inviteToken)
  })

  it('gets the invitation after it was sent again', async () => {
    const { email, inviteToken } = await t.invitation(owner, projectId, { email: address() })
    const grace = await t.person({ email })
    await calls.decline(inviteToken)
    const second = await t.invitation(owner, projectId, { email })
    expect(await calls.mine(grace)).toMatchObject([{ inviteToken: second.inviteToken }])
  })
})

describe('a person who verifies their email after they were invited', () => {
  beforeAll(async () => {
    t = await testApp()
    calls = callsOf(t)
  })
  afterAll(() => t.close())

  it('finds the invitation among collaborations and notifications, and can accept it', async () => {
    const email = address()
    const { inviteToken } = await t.invitation(owner, projectId, { email })
    const grace = await t.person({ email: email.toUpperCase(), emailVerified: true })
    expect(await calls.notices(grace)).toMatchObject([
      {
        type: 'collaboration_invite',
        isRead: false,
        message: 'Olga Owner invited you to “A canoe”',
        data: { inviteToken, projectId },
      },
    ])
    expect(await calls.mine(grace)).toMatchObject([{ status: 'pending', inviteToken, invitee: null }])
    await calls.accept(grace, inviteToken)
  })

  it('is notified once over several sign-ins, even after deleting the notification', async () => {
    const email = address()
    await t.invitation(owner, projectId, { email })
    const grace = await t.person({ email, emailVerified: true })
    await calls.signedInAgain(grace, { emailVerified: true })
    const [notice] = await calls.notices(grace)
    await t.call('deleteNotification', { params: { notificationId: notice?._id ?? '' } }, { as: grace })
    await calls.signedInAgain(grace, { email: email.toUpperCase(), emailVerified: true })
    await calls.signedInAgain(grace, { emailVerified: true })
    expect(await calls.notices(grace)).toEqual([])
  })

  it('is notified of the invitations of an email that they verify later', async () => {
    const email = address()
    const { inviteToken } = await t.invitation(owner, projectId, { email })
    const grace = await calls.signedInAgain(await t.person(), { email, emailVerified: true })
    expect((await calls.notices(grace)).map(({ data }) => data.inviteToken)).toEqual([inviteToken])
  })

  it('is not notified of declined, withdrawn or expired invitations', async () => {
    const email = address()
    const declined = await t.invitation(owner, projectId, { email })
    await calls.decline(declined.inviteToken)
    const other = await t.project(owner)
    const withdrawn = await t.invitation(owner, other._id, { email })
    const params = { projectId: other._id, collaboratorId: withdrawn._id }
    await t.call('removeCollaborator', { params }, { as: owner })
    await t.invitation(owner, (await t.project(owner))._id, { email })
    t.later(8 * DAY)
    const grace = await t.person({ email, emailVerified: true })
    t.later(-8 * DAY)
    expect(await calls.notices(grace)).toEqual([])
  })

  it('is notified exactly once of a concurrent invitation', { tags: ['long'] }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const email = address()
      const [grace, { inviteToken }] = await Promise.all([
        t.person({ email, emailVerified: true }),
        t.invitation(owner, (await t.project(owner))._id, { email }),
      ])
      expect((await calls.notices(grace)).map(({ data }) => data.inviteToken)).toEqual([inviteToken])
    }
  })

  it('can sign in while their invitation is being withdrawn', { tags: ['long'] }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const email = address()
      const { inviteToken, _id } = await t.invitation(owner, projectId, { email })
      const params = { projectId, collaboratorId: _id }
      const [grace] = await Promise.all([
        t.person({ email, emailVerified: true }),
        round % 2 ? calls.decline(inviteToken) : t.call('removeCollaborator', { params }, { as: owner }),
      ])
      expect(JSON.stringify(await calls.notices(grace))).not.toContain('inviteToken')
      if (round % 2) await t.call('removeCollaborator', { params }, { as: owner })
    }
  })
})

describe('on a server that sends mail', () => {
  beforeAll(async () => {
    t = await testApp({ sendsMail: true })
    calls = callsOf(t)
  })
  afterAll(() => t.close())

  it('an unverified email gets no invitations and no links, and cannot accept', async () => {
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    expect(await calls.mine(grace)).toEqual([])
    expect(await calls.notices(grace)).toEqual([])
    expect(await calls.refusedAccept(grace, inviteToken)).toMatchObject({
      status: 403,
      code: 'unverified_address',
      message: expect.stringContaining('Confirm your email address first'),
    })
    const declining = t.refused('declineInvitation', { params: { inviteToken } }, { as: grace })
    expect(await declining).toMatchObject({ code: 'unverified_address' })
    expect(await calls.of(owner, projectId, grace)).toMatchObject({ status: 'pending' })
  })

  it('an email gets its invitations once when it is verified', async () => {
    const email = address()
    const unverified = await t.person({ email })
    const { inviteToken } = await t.invitation(owner, projectId, { email })
    const grace = await calls.signedInAgain(unverified, { emailVerified: true })
    await calls.signedInAgain(unverified, { emailVerified: false })
    await calls.signedInAgain(unverified, { emailVerified: true })
    expect((await calls.notices(grace)).map(({ data }) => data.inviteToken)).toEqual([inviteToken])
    expect(await calls.mine(grace)).toMatchObject([{ inviteToken }])
    await calls.accept(grace, inviteToken)
  })

  it('an address that a member has changed to but not verified can be invited', async () => {
    const member = await t.person({ email: address(), emailVerified: true })
    const invited = await t.invitation(owner, projectId, { email: member.email })
    await calls.accept(member, invited.inviteToken)
    const email = address()
    await calls.signedInAgain(member, { email, emailVerified: false })
    expect(await t.invitation(owner, projectId, { email })).toMatchObject({ status: 'pending' })
  })

  it('a member is no longer invited at an address that was invited before they changed to it', async () => {
    const member = await t.person({ email: address(), emailVerified: true })
    const first = await t.invitation(owner, projectId, { email: member.email, role: 'viewer' })
    await calls.accept(member, first.inviteToken)
    const email = address()
    const { inviteToken } = await t.invitation(owner, projectId, { email, role: 'editor' })
    const elsewhere = await t.invitation(owner, (await t.project(owner))._id, { email })
    await calls.signedInAgain(member, { email, emailVerified: false })
    expect(await calls.list(owner, projectId)).toMatchObject([{ status: 'accepted' }, { status: 'pending' }])
    const after = await calls.signedInAgain(member, { email, emailVerified: true })
    expect(await calls.list(owner, projectId)).toMatchObject([{ email, role: 'viewer', status: 'accepted' }])
    expect((await calls.notices(after)).flatMap(({ data }) => data.inviteToken ?? [])).toEqual([
      elsewhere.inviteToken,
    ])
    expect(await calls.refusedAccept(after, inviteToken)).toMatchObject({ code: 'not_found' })
  })

  it('inviting returns the same response whether or not the email has an account', async () => {
    const people = [await t.person({ emailVerified: true }), await t.person(), { email: address() }]
    const answers = []
    for (const { email } of people) {
      const { role, status, invitee, ...rest } = await t.invitation(owner, projectId, { email })
      answers.push({ role, status, invitee, others: Object.keys(rest) })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.others).not.toContain('recipients')
  })
})

/** Whether or not this server sends mail: on one that does, the people below have verified their emails. */
describe.each([true, false])('an account that changes its address (server with mail: %s)', (sendsMail) => {
  beforeAll(async () => {
    t = await testApp({ sendsMail })
    calls = callsOf(t)
  })
  afterAll(() => t.close())

  const person = () => t.person({ email: address(), emailVerified: sendsMail })
  const moved = (one: Person, email = address()) =>
    calls.signedInAgain(one, { email, emailVerified: sendsMail })

  it('keeps an invitation that it was shown, and accepts it', async () => {
    const before = await person()
    const invited = await t.invitation(owner, projectId, { email: before.email, role: 'editor' })
    const after = await moved(before)
    expect((await calls.mine(after)).map(({ inviteToken }) => inviteToken)).toEqual([invited.inviteToken])
    const [notice] = await calls.notices(after)
    expect(notice?.data.inviteToken).toBe(invited.inviteToken)
    const { collaborator } = await calls.accept(after, invited.inviteToken)
    expect(collaborator).toMatchObject({ role: 'editor', status: 'accepted' })
    expect(await calls.mine(after)).toHaveLength(1)
  })

  it('can decline it, too', async () => {
    const before = await person()
    const invited = await t.invitation(owner, projectId, { email: before.email })
    const after = await moved(before)
    await calls.decline(invited.inviteToken, after)
    expect(await calls.of(owner, projectId, invited)).toMatchObject({ status: 'declined' })
  })

  it('loses it once it is withdrawn, or sent again to the former address', async () => {
    const before = await person()
    const invited = await t.invitation(owner, projectId, { email: before.email })
    const after = await moved(before)
    await calls.decline(invited.inviteToken)
    const again = await t.invitation(owner, projectId, { email: before.email })
    expect((await calls.mine(after)).filter(({ status }) => status === 'pending')).toEqual([])
    expect(await calls.refusedAccept(after, again.inviteToken)).toMatchObject({ code: 'wrong_account' })
  })

  it('who was invited at both addresses has no invitation left once one is accepted', async () => {
    const before = await person()
    await t.invitation(owner, projectId, { email: before.email })
    const email = address()
    const second = await t.invitation(owner, projectId, { email, role: 'editor' })
    const after = await moved(before, email)
    await calls.accept(after, second.inviteToken)
    expect(await calls.list(owner, projectId)).toMatchObject([{ email, role: 'editor', status: 'accepted' }])
    expect(await calls.mine(after)).toHaveLength(1)
    for (const { data } of await calls.notices(after)) expect(data.inviteToken).toBeUndefined()
  })

  it('stays a member, is listed with its new address, and cannot be invited at either', async () => {
    const before = await person()
    const invited = await t.invitation(owner, projectId, { email: before.email })
    await calls.accept(before, invited.inviteToken)
    const after = await moved(before)
    expect(await calls.of(owner, projectId, after)).toMatchObject({ _id: invited._id, status: 'accepted' })
    for (const { email } of [before, after, { email: after.email.toUpperCase() }])
      expect(await calls.refusedInvite(owner, projectId, email)).toMatchObject({
        code: 'conflict',
        message: `${email} is already a collaborator of this project`,
      })
  })
})
