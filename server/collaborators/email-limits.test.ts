import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Collaborator } from '#contract/collaborators.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { unusedQueues } from '#server/testing/email-queues.ts'
import { EMAILS_PER_INVITER, EMAILS_PER_MAILBOX } from './emails.ts'
import type { EmailOrder } from './invitation-email-store.ts'
import { callsOf } from './testing.ts'

const DAY = 24 * 60 * 60_000

const promised: string[] = []
let t: TestApp
let other: FastifyInstance
let number = 0
let victim: string
beforeAll(async () => {
  const invitations = { add: async (_: unknown, { id }: EmailOrder) => void promised.push(id), wake() {} }
  t = await testApp({}, { emails: async () => ({ ...unusedQueues, invitations }) })
  other = await t.replica()
})
afterAll(async () => {
  await other.close()
  await t.close()
})
beforeEach(() => {
  promised.length = 0
  victim = `victim${++number}`
})

/** Invites to a new project through one of the servers. */
async function invite(owner: Person, email: string, app = number % 2 ? t.app : other): Promise<Collaborator> {
  number += 1
  const { _id } = await t.project(owner)
  const url = `/api/projects/${_id}/collaborators`
  const answer = await app.inject({ method: 'POST', url, headers: owner.headers, payload: { email } })
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

it('a mailbox has a daily limit for all inviters and servers, and for all its spellings', {
  tags: ['long'],
}, async () => {
  const written = [
    `${victim}@example.test`,
    `${victim.toUpperCase()}@Example.test`,
    `${victim}+boats@example.test`,
    `v.${victim.slice(1)}@example.test`,
  ]
  const invitations = []
  for (let n = 0; n < EMAILS_PER_MAILBOX + 4; n += 1)
    invitations.push(await invite(await t.person(), written[n % written.length] ?? ''))
  expect(promised).toEqual(invitations.slice(0, EMAILS_PER_MAILBOX).map(({ _id }) => _id))

  await invite(await t.person(), `${victim}@other.test`)
  expect(promised).toHaveLength(EMAILS_PER_MAILBOX + 1)
  t.later(DAY)
  await invite(await t.person(), `${victim}@example.test`)
  t.later(-DAY)
  expect(promised).toHaveLength(EMAILS_PER_MAILBOX + 2)
})

it('one inviter cannot use up the limit of a mailbox', async () => {
  const email = `${victim}@example.test`
  const eager = await t.person()
  for (let n = 0; n < EMAILS_PER_MAILBOX + 2; n += 1) await invite(eager, email)
  expect(promised).toHaveLength(EMAILS_PER_INVITER)
  await invite(await t.person(), email)
  expect(promised).toHaveLength(EMAILS_PER_INVITER + 1)
})

it('an invitation over the limit stays valid, and its inviter does not notice', async () => {
  const invited = await t.person({ email: `${victim}@example.test`, emailVerified: true })
  const answers = []
  for (let n = 0; n <= EMAILS_PER_INVITER; n += 1)
    answers.push(await invite(await t.person({ name: 'Olga' }), invited.email))
  const owner = await t.person({ name: 'Olga' })
  for (let n = 0; n <= EMAILS_PER_INVITER; n += 1) answers.push(await invite(owner, invited.email))
  const [first, last] = [answers[0], answers.at(-1)]
  expect(promised).not.toContain(last?._id)
  const { status, inviter, invitee, inviteToken = '' } = answers.at(-1) ?? {}
  expect([status, inviter, invitee, inviteToken.length]).toEqual(['pending', { name: 'Olga' }, null, 43])
  expect(Object.keys(last ?? {})).toEqual(Object.keys(first ?? {}))
  const calls = callsOf(t)
  expect((await calls.mine(invited)).map(({ _id }) => _id)).toContain(last?._id)
  await calls.accept(invited, inviteToken)
})

it('concurrent invitations from many accounts do not exceed the limit and do not deadlock', {
  tags: ['long'],
}, async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => t.person()))
  await Promise.all(people.map((person, n) => invite(person, `${victim}+${n}@example.test`)))
  expect(promised).toHaveLength(EMAILS_PER_MAILBOX)
})
