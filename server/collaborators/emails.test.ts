import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppDeps } from '#server/deps.ts'
import { openEmailQueues } from '#server/features.ts'
import { createJobs, type Jobs } from '#server/platform/jobs.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { createMail } from '#server/platform/mail/smtp.ts'
import { type Delivered, type MailSink, mailSink } from '#server/platform/mail/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { invitationEmail } from './emails.ts'
import { type Calls, callsOf } from './testing.ts'

const DAY = 24 * 60 * 60_000

let sink: MailSink
let jobs: Jobs
let t: TestApp
let calls: Calls
let owner: Person
let projectId: string

beforeAll(async () => {
  sink = await mailSink()
  const emails = ({ db, tokenCipher, log, clock }: Pick<AppDeps, 'db' | 'tokenCipher' | 'log' | 'clock'>) => {
    jobs = createJobs({ db, log }, { pollSeconds: 0.5, retrySeconds: 1, longestPauseSeconds: 1 })
    const mail = createMail(sink.settings())
    const publicUrl = 'https://milepost.example'
    const links = { sign: () => '' }
    return openEmailQueues({ db, mail, jobs, publicUrl, tokenCipher, links, log, clock })
  }
  t = await testApp({}, { emails })
  calls = callsOf(t)
})
afterAll(async () => {
  await jobs.stop()
  await t.close()
  await sink.stop()
})
beforeEach(async () => {
  owner = await t.person({ name: 'Olga Owner', emailVerified: true })
  projectId = (await t.project(owner, { title: 'A canoe' }))._id
})

const linkIn = ({ content }: Delivered) => /https:\/\/milepost\.example\/invite\/([\w-]+)/.exec(content)?.[1]
const emailsTo = ({ email }: { email: string }) => sink.delivered.filter(({ to }) => to.includes(email))

async function jobsIn(...states: string[]): Promise<number> {
  const { rows } = await sql`
    select from jobs.job where name = 'invitation-letters' and state::text = any(${states})`.execute(
    t.deps.db,
  )
  return rows.length
}

const allDone = () =>
  vi.waitFor(async () => expect(await jobsIn('created', 'active', 'retry')).toBe(0), { timeout: 60_000 })

describe('an invitation', () => {
  it('is emailed as text and HTML with a valid link', async () => {
    const grace = await t.person({ emailVerified: true })
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    const email = await sink.emailTo(grace.email)
    expect(email.raw).toContain('Content-Type: text/plain')
    expect(email.raw).toContain('Content-Type: text/html')
    expect(email.content).toContain('Olga Owner invited you to collaborate on the project “A canoe”')
    expect(linkIn(email)).toBe(inviteToken)
    await calls.accept(grace, linkIn(email) ?? '')
  })

  it('is reported as emailed', async () => {
    expect(await t.call('readInvitationOptions', {})).toEqual({ mailed: true })
  })

  it('is not emailed to somebody who muted such emails, if they have verified their email', async () => {
    const [ada, mallory] = [await t.person({ emailVerified: true }), await t.person()]
    for (const person of [ada, mallory])
      await t.call(
        'updateNotificationPreferences',
        { body: { mutedEmails: ['collaboration_invite'] } },
        { as: person },
      )
    await t.invitation(owner, projectId, { email: ada.email.toUpperCase() })
    await t.invitation(owner, projectId, { email: mallory.email })
    await sink.emailTo(mallory.email)
    await allDone()
    expect(emailsTo(ada)).toEqual([])
    const { notifications } = await t.call('listNotifications', { query: {} }, { as: ada })
    expect(notifications).toHaveLength(1)
  })

  it('is emailed once even if its job runs again after a crash', { tags: ['long'] }, async () => {
    const invited = await t.invitation(owner, projectId)
    await sink.emailTo(invited.email)
    await allDone()
    await sql`update jobs.job set state = 'created', completed_on = null`.execute(t.deps.db)
    await allDone()
    expect(emailsTo(invited)).toHaveLength(1)
  })

  it('whose address is refused for good says so to those who invite, until it is sent again', async () => {
    const viewer = await t.member(projectId, 'viewer')
    Object.assign(sink.state, { rejectWith: 550, rejectText: '5.1.1 no such mailbox' })
    const refused = await t.invitation(owner, projectId)
    await allDone()
    sink.acceptAll()
    expect(refused).not.toHaveProperty('undelivered')
    expect(await calls.of(owner, projectId, refused)).toMatchObject({ status: 'pending', undelivered: true })
    expect(JSON.stringify(await calls.list(viewer, projectId))).not.toContain('undelivered')

    await calls.decline(refused.inviteToken)
    await t.invitation(owner, projectId, { email: refused.email })
    await sink.emailTo(refused.email)
    await allDone()
    expect(await calls.of(owner, projectId, refused)).not.toHaveProperty('undelivered')
  })

  it('whose address is refused for now says nothing', async () => {
    Object.assign(sink.state, { rejectWith: 450, rejectText: '4.2.1 try again later' })
    const delayed = await t.invitation(owner, projectId)
    await vi.waitFor(async () => expect(await jobsIn('retry')).toBe(1), { timeout: 60_000 })
    expect(await calls.of(owner, projectId, delayed)).not.toHaveProperty('undelivered')
    sink.acceptAll()
    await sink.emailTo(delayed.email)
    await allDone()
  })

  it('that is sent again is emailed again with the new link', async () => {
    const first = await t.invitation(owner, projectId)
    await sink.emailTo(first.email)
    await calls.decline(first.inviteToken)
    const second = await t.invitation(owner, projectId, { email: first.email })
    expect(linkIn(await sink.emailTo(first.email, 2))).toBe(second.inviteToken)
    const ids = emailsTo(first).map(({ raw }) => /message-id: <(invitation-.*)>/i.exec(raw)?.[1])
    expect(ids).toEqual([expect.any(String), expect.any(String)])
    expect(ids[0]).not.toBe(ids[1])
  })

  it('stores no link in the queue, and none at all once it is answered', async () => {
    const grace = await t.person({ emailVerified: true })
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    const holding = async (table: string) => {
      const found = await sql`
        select from ${sql.table(table)} t where t::text like ${`%${inviteToken}%`}`.execute(t.deps.db)
      return found.rows.length
    }
    for (const table of ['collaborators', 'notifications', 'jobs.job'])
      expect([table, await holding(table)]).toEqual([table, 0])
    await calls.accept(grace, inviteToken)
    for (const table of ['collaborators', 'notifications', 'invitation_notices', 'jobs.job'])
      expect([table, await holding(table)]).toEqual([table, 0])
  })
})

describe('while the mail server is down', () => {
  beforeEach(async () => {
    await allDone()
    await sink.stop()
  })

  const failedTwice = () =>
    vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from jobs.job where name = 'invitation-letters' and retry_count > 1
            and state in ('retry', 'active')`.execute(t.deps.db)
        expect(rows.length).toBeGreaterThan(0)
      },
      { timeout: 60_000, interval: 50 },
    )

  it('inviting succeeds, and the email is sent once when the server is up again', {
    tags: ['long'],
  }, async () => {
    const invited = await t.invitation(owner, projectId)
    await failedTwice()
    await sink.restart()
    expect(linkIn(await sink.emailTo(invited.email))).toBe(invited.inviteToken)
    await allDone()
    expect(emailsTo(invited)).toHaveLength(1)
  })

  it('an invitation that is withdrawn, answered or replaced is not emailed', async () => {
    const [withdrawn, declined, renewed, accepted] = [
      await t.invitation(owner, projectId),
      await t.invitation(owner, projectId),
      await t.invitation(owner, projectId),
      await t.invitation(owner, projectId),
    ]
    const params = { projectId, collaboratorId: withdrawn._id }
    await t.call('removeCollaborator', { params }, { as: owner })
    await calls.decline(declined.inviteToken)
    await calls.decline(renewed.inviteToken)
    await calls.accept(await t.person({ email: accepted.email, emailVerified: true }), accepted.inviteToken)
    const replacement = await t.invitation(owner, projectId, { email: renewed.email })
    await sink.restart()
    expect(linkIn(await sink.emailTo(renewed.email))).toBe(replacement.inviteToken)
    await allDone()
    expect([withdrawn, declined, accepted, renewed].map((one) => emailsTo(one).length)).toEqual([0, 0, 0, 1])
  })

  it('an invitation to a deleted project is emailed once the project is restored', {
    tags: ['long'],
  }, async () => {
    const invited = await t.invitation(owner, projectId)
    const deletionId = await deleted(t, owner, { projectId })
    await sink.restart()
    await allDone()
    expect(emailsTo(invited)).toEqual([])
    await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
    expect(linkIn(await sink.emailTo(invited.email))).toBe(invited.inviteToken)
    await allDone()
    expect(emailsTo(invited)).toHaveLength(1)
  })

  it('an invitation that expires in the meantime is not emailed', async () => {
    const invited = await t.invitation(owner, projectId)
    t.later(8 * DAY)
    await sink.restart()
    await allDone()
    t.later(-8 * DAY)
    expect(emailsTo(invited)).toEqual([])
  })
})

it('an email that the mail server refuses permanently is not retried', async () => {
  sink.state.rejectWith = 550
  const invited = await t.invitation(owner, projectId)
  await allDone()
  sink.state.rejectWith = 0
  expect(emailsTo(invited)).toEqual([])
  expect(await jobsIn('failed')).toBe(0)
})

describe('user input in an email', () => {
  const composed = (words: { title?: string; name?: string | null }) =>
    invitationEmail('https://milepost.example', {
      tokenHash: 'hash',
      token: 'token',
      email: 'grace@example.test',
      title: 'A canoe',
      name: 'Olga',
      ...words,
    })

  it('adds no markup, no link and no line break', () => {
    const title = 'Win <b>now</b>\r\nBcc: all@evil.example https://evil.example \u202Eback'
    const { subject, text, html } = composed({ title, name: '<img src=x>' })
    expect(html).not.toMatch(/<(b|img)\b/)
    expect(subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    for (const form of [subject, text, html])
      expect(form).not.toMatch(/evil\.example|https:\/\/evil|all@evil/)
    expect(text).toContain('https://milepost.example/invite/token')
  })

  it('is truncated, and an inviter without a name is Anonymous', () => {
    const { subject, text } = composed({ title: '🛶'.repeat(200), name: null })
    expect(subject).toContain(`${'🛶'.repeat(79)}…”`)
    expect(subject).not.toContain('🛶'.repeat(80))
    expect(text).toContain('Anonymous invited you')
  })
})

it('a server without mail reports that no email is sent', async () => {
  const silent = await testApp()
  const sender = await silent.person()
  await silent.invitation(sender, (await silent.project(sender))._id)
  expect(await silent.call('readInvitationOptions', {})).toEqual({ mailed: false })
  const { rows } = await silent.pool.query(`select from pg_namespace where nspname = 'jobs'`)
  expect(rows).toEqual([])
  await silent.close()
})

it('no log contains the token of an invitation', async () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  const logging = await testApp({ log })
  const sender = await logging.person()
  const grace = await logging.person()
  const invited = { email: grace.email }
  const { inviteToken } = await logging.invitation(sender, (await logging.project(sender))._id, invited)
  for (const answer of ['accept', 'accept', 'decline'])
    await logging.app.inject({
      method: 'POST',
      url: `/api/collaborators/${answer}/${inviteToken}?x=1`,
      headers: grace.headers,
    })
  await logging.app.inject({ method: 'POST', url: `/api/collaborators/accept/${inviteToken}` })
  await logging.app.inject({ url: `/invite/${inviteToken}` })
  expect(lines.filter((line) => line.includes('/accept/[token]'))).toHaveLength(3)
  expect(lines.filter((line) => line.includes(inviteToken))).toEqual([])
  await logging.close()
})
