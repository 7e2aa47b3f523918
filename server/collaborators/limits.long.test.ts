import { afterAll, beforeAll, expect, it } from 'vitest'
import { inviteFields } from '#contract/collaborators.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { inviteCollaborator } from './invite.ts'
import { INVITATIONS_PER_HOUR, OPEN_PER_PROJECT } from './rate-limits.ts'
import { type Calls, callsOf } from './testing.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

let t: TestApp
let calls: Calls
let number = 0
beforeAll(async () => {
  t = await testApp()
  calls = callsOf(t)
})
afterAll(() => t.close())

/** Invites somebody new, on a server with this limit; returns the status and `Retry-After`. */
async function invite({ userId }: Person, projectId: string, rateLimit: boolean) {
  const fields = inviteFields.parse({ email: `limit-${++number}@example.test` })
  try {
    const caller = { userId, sessionId: '' }
    return {
      status: 201,
      id: (await inviteCollaborator(t.deps, caller, projectId, fields, { rateLimit, change: unrepeated }))
        ._id,
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: error.status, retryAfter: error.retryAfter ?? 0 }
  }
}

it(`a project has ${OPEN_PER_PROJECT} open invitations at most, also when they are sent concurrently`, async () => {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  const answers = await Promise.all(
    Array.from({ length: OPEN_PER_PROJECT + 5 }, () => invite(owner, projectId, false)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(OPEN_PER_PROJECT)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  expect(
    refused.every(({ retryAfter = 0 }) => retryAfter > 6 * 24 * 3600 && retryAfter <= 7 * 24 * 3600),
  ).toBe(true)

  const [open] = await calls.list(owner, projectId)
  await calls.decline(open?.inviteToken ?? '')
  expect(await invite(owner, projectId, false)).toMatchObject({ status: 201 })
  expect(await invite(owner, projectId, false)).toMatchObject({ status: 429 })
  t.later(8 * DAY)
  expect(await invite(owner, projectId, false)).toMatchObject({ status: 201 })
  t.later(-8 * DAY)
})

it(`a person sends at most ${INVITATIONS_PER_HOUR} invitations an hour, including withdrawn ones`, async () => {
  const owner = await t.person()
  const projects = [await t.project(owner), await t.project(owner)].map(({ _id }) => _id)
  const answers = []
  for (let count = 0; count < INVITATIONS_PER_HOUR / 2; count += 1) {
    const made = await Promise.all(projects.map((projectId) => invite(owner, projectId, true)))
    answers.push(...made)
    const [projectId = ''] = projects
    const params = { projectId, collaboratorId: made[0]?.id ?? '' }
    await t.call('removeCollaborator', { params }, { as: owner })
  }
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  const [projectId = ''] = projects
  const refused = await invite(owner, projectId, true)
  expect(refused.status).toBe(429)
  expect(refused.retryAfter).toBeGreaterThan(0)
  expect(refused.retryAfter).toBeLessThanOrEqual(3600)
  expect(await invite(owner, projectId, false)).toMatchObject({ status: 201 })
  t.later(HOUR)
  expect(await invite(owner, projectId, true)).toMatchObject({ status: 201 })
  t.later(-HOUR)
})
