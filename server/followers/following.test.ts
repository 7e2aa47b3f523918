import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { forgetFollower } from './service.ts'
import { aProject, type MailingApp, mailingApp } from './testing.ts'

let m: MailingApp
beforeAll(async () => {
  m = await mailingApp()
})
afterAll(() => m.t.close())
beforeEach(async () => {
  m.queued.length = 0
  m.sent.length = 0
  await sql`delete from call_limits`.execute(m.t.deps.db)
})

const countOf = async ({ t }: MailingApp, as: Awaited<ReturnType<typeof aProject>>) =>
  (await t.call('readReaders', { params: { projectId: as.projectId } }, { as: as.ada })).followers

describe('following by email', () => {
  it('is asked for on a page without scripts, confirmed by one press, and stopped by one', async () => {
    const project = await aProject(m.t)
    const asked = await m.ask(project.projectId, 'Bo@Example.org')
    expect([asked.statusCode, asked.body.includes('Look into your mailbox')]).toEqual([200, true])
    expect(asked.headers['cache-control']).toBe('private, no-store, no-transform')
    await m.sendQueued()
    const [email] = m.to('Bo@Example.org')
    expect(email?.subject).toBe('Follow “Canoe”?')
    const path = m.pathIn(email, '/follow')
    for (const method of ['GET', 'HEAD'] as const) {
      const page = await m.t.app.inject({ method, url: path })
      expect([page.statusCode, page.headers['referrer-policy']]).toEqual([200, 'no-referrer'])
    }
    expect((await m.t.app.inject({ url: path })).body).toMatch(/<form [^>]*method="post"><button/)
    expect(await countOf(m, project)).toBe(0)
    expect((await m.post(path)).body).toContain('You follow this project')
    expect((await m.post(path)).body).toContain('You follow this project')
    expect(await countOf(m, project)).toBe(1)

    await m.t.entry(project.ada, project.milestoneId)
    await m.after(25)
    const stop = m.to('Bo@Example.org')[1]?.unsubscribe?.replace('https://milepost.example', '') ?? ''
    expect((await m.t.app.inject({ url: stop })).body).toContain('Stop these emails?')
    expect(await countOf(m, project)).toBe(1)
    const pressed = await m.post(stop, { 'List-Unsubscribe': 'One-Click' })
    expect([pressed.statusCode, pressed.body.includes('The emails are stopped')]).toEqual([200, true])
    expect(await countOf(m, project)).toBe(0)
    const { rows } = await sql`select from followers where email = 'Bo@Example.org'`.execute(m.t.deps.db)
    expect(rows).toEqual([])
    // Again, and after the address is gone.
    expect((await m.post(stop)).statusCode).toBe(200)
    expect((await m.t.app.inject({ url: path })).statusCode).toBe(404)
  })

  it('is answered the same whether the address follows already or not', async () => {
    const { projectId } = await aProject(m.t)
    const first = await m.ask(projectId, 'one@example.org')
    await m.follow(projectId, 'follows@example.org')
    m.sent.length = 0
    const again = await m.ask(projectId, 'FOLLOWS@example.org')
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
    expect(m.queued).toEqual([])
  })

  it('refuses what is no address, and keeps what was typed', async () => {
    const { projectId } = await aProject(m.t)
    const refused = await m.ask(projectId, 'nobody <at> "nowhere')
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('value="nobody &lt;at&gt; &quot;nowhere"')
    expect(refused.body).toContain('aria-invalid="true"')
    expect(m.queued).toEqual([])
  })

  it('ignores the form of another site', async () => {
    const { projectId } = await aProject(m.t)
    const url = `/world/${projectId}/follow`
    await m.post(url, { email: 'bo@example.org' }, { 'sec-fetch-site': 'cross-site' })
    expect(m.queued).toEqual([])
    await m.post(url, { email: 'bo@example.org' }, { 'sec-fetch-site': 'same-origin' })
    expect(m.queued).toHaveLength(1)
  })

  it.each([
    ['private', false],
    ['of somebody who switched it off', true],
  ])('is missing in a project that is %s', async (_what, isOff) => {
    const { ada, projectId } = await aProject(m.t, isOff ? 'public' : 'private')
    const emails = false
    if (isOff) await m.t.call('changeReaders', { params: { projectId }, body: { emails } }, { as: ada })
    expect((await m.ask(projectId, 'bo@example.org')).statusCode).toBe(404)
    expect(m.queued).toEqual([])
  })

  it('cannot be confirmed once the project is private, and the page does not name it', async () => {
    const { ada, projectId } = await aProject(m.t)
    await m.ask(projectId, 'bo@example.org')
    await m.sendQueued()
    const path = m.pathIn(m.to('bo@example.org')[0], '/follow')
    await m.t.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }, { as: ada })
    for (const page of [await m.t.app.inject({ url: path }), await m.post(path)]) {
      expect(page.statusCode).toBe(404)
      expect(page.body).not.toContain('Canoe')
    }
    const stop = path.replace('/follow/', '/unsubscribe/follower/')
    expect((await m.t.app.inject({ url: stop })).statusCode).toBe(404)
  })

  it('needs the link of the follower', async () => {
    const { projectId } = await aProject(m.t)
    await m.ask(projectId, 'one@example.org')
    await m.ask(projectId, 'two@example.org')
    await m.sendQueued()
    const [one = '', two = ''] = ['one@example.org', 'two@example.org'].map((to) =>
      m.pathIn(m.to(to)[0], '/follow'),
    )
    const idOf = (path: string) => path.split('/')[2] ?? ''
    for (const wrong of [one.replace(idOf(one), idOf(two)), `${one}x`, '/follow/none/none'])
      expect((await m.post(wrong)).statusCode).toBe(404)
  })

  it('switched off or on is seen on the cached page at once', async () => {
    const { ada, projectId } = await aProject(m.t)
    const url = `/world/${projectId}`
    const before = await m.t.app.inject({ url })
    expect(before.body).toContain('Follow by email')
    await m.t.call('changeReaders', { params: { projectId }, body: { emails: false } }, { as: ada })
    const after = await m.t.app.inject({ url, headers: { 'if-none-match': before.headers.etag ?? '' } })
    expect([after.statusCode, after.body.includes('Follow by email')]).toEqual([200, false])
    expect(after.body).toContain('Follow by feed')
  })
})

it('without a mail server, the button and the page offer feeds alone, and the form is refused', async () => {
  const t = await testApp({}, { pages: 'built' })
  const { projectId } = await aProject(t)
  for (const url of [`/world/${projectId}`, `/world/${projectId}/follow`]) {
    const { body } = await t.app.inject({ url })
    expect(body).not.toContain('Follow by email')
    expect(body).not.toContain('type="email"')
  }
  expect((await t.app.inject({ url: `/world/${projectId}` })).body).toContain('Follow by feed')
  const payload = 'email=bo%40example.org'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = `/world/${projectId}/follow`
  expect((await t.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(404)
  await t.close()
})

describe('a robot', () => {
  it('of one network has ten emails sent in an hour, and is told to wait', async () => {
    const { projectId } = await aProject(m.t)
    for (let n = 0; n < 30; n += 1) await m.ask(projectId, `robot-${n}@example.org`, '203.0.113.7')
    expect(m.queued).toHaveLength(10)
    const refused = await m.ask(projectId, 'robot@example.org', '203.0.113.7')
    expect([refused.statusCode, refused.body.includes('Too many people')]).toEqual([429, true])
    const { rows } = await sql`select from followers where email like 'robot%'`.execute(m.t.deps.db)
    expect(rows).toHaveLength(10)
  })

  it('of any number of networks has 200 emails sent in a day, 100 for one project, and leaves some for each', {
    tags: ['long'],
  }, async () => {
    let from = 0
    const askMany = async (times: number) => {
      const { projectId } = await aProject(m.t)
      const before = m.queued.length
      const end = from + times
      for (; from < end; from += 1)
        await m.ask(projectId, `r${from}@example.org`, `10.1.${from >> 8}.${from & 255}`)
      return m.queued.length - before
    }
    expect([await askMany(130), await askMany(60)]).toEqual([100, 55])
    const shares = []
    for (let project = 0; project < 11; project += 1) shares.push(await askMany(6))
    expect(shares).toEqual([...Array.from({ length: 9 }, () => 5), 0, 0])
    expect(m.queued).toHaveLength(200)
  })

  it('of one network has 20 emails sent in a day', async () => {
    const { projectId } = await aProject(m.t)
    for (let hour = 0; hour < 4; hour += 1) {
      for (let n = 0; n < 12; n += 1) await m.ask(projectId, `h${hour}-${n}@example.org`, '203.0.113.8')
      m.t.later(3_600_000)
    }
    expect(m.queued).toHaveLength(20)
  })

  it('has three emails sent to one mailbox in a day, however its address is written', async () => {
    const projects = await Promise.all([1, 2, 3, 4, 5].map(() => aProject(m.t)))
    for (const [n, { projectId }] of projects.entries())
      await m.ask(projectId, `victim+${n}@example.org`, `10.2.0.${n}`)
    expect(m.queued).toHaveLength(3)
  })
})

it('who follows is in no answer and no export, also not of the owner', async () => {
  const project = await aProject(m.t)
  await m.follow(project.projectId, 'secret-reader@example.org')
  const params = { projectId: project.projectId }
  expect(await m.t.call('readReaders', { params }, { as: project.ada })).toEqual({
    emails: true,
    downloads: false,
    reactions: false,
    sendsMail: true,
    followers: 1,
  })
})

it('an account that is deleted takes what it followed with its proven address with it', async () => {
  const { projectId } = await aProject(m.t)
  const bo = await m.t.person({ emailVerified: true })
  await m.follow(projectId, bo.email)
  await m.follow(projectId, 'stays@example.org')
  await m.t.deps.db.transaction().execute((trx) =>
    forgetFollower(trx, {
      userId: bo.userId,
      name: 'Bo',
      emails: [bo.email],
      ownEmails: [
        { email: bo.email.toUpperCase(), isProven: true },
        { email: 'stays@example.org', isProven: false },
      ],
    }),
  )
  const { rows } = await sql<{ email: string }>`
    select email from followers where project_id = ${projectId}`.execute(m.t.deps.db)
  expect(rows).toEqual([{ email: 'stays@example.org' }])
})
