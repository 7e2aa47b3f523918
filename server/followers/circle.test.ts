import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CIRCLE_MAX, type ShareLinkFields } from '#contract/shares.ts'
import { browserAt } from '#server/shares/testing.ts'
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

type Project = Awaited<ReturnType<typeof aProject>>

type Fields = Partial<ShareLinkFields> & { email?: string }

const add = ({ ada, projectId }: Project, { email, ...fields }: Fields = {}) =>
  m.t.call(
    'createShareLink',
    { params: { projectId }, body: { name: 'Grandma', person: { email }, ...fields } },
    { as: ada },
  )

const listed = ({ ada, projectId }: Project) =>
  m.t.call('listShareLinks', { params: { projectId } }, { as: ada })

let count = 0
const anAddress = () => `grandma-${++count}@example.org`

/** A person who has confirmed that they want emails, with the path in them that opens their link. */
async function emailed(project: Project, fields: Fields = {}) {
  const email = anAddress()
  const { link } = await add(project, { email, ...fields })
  await m.sendQueued()
  const [asking] = m.to(email)
  await m.post(m.pathIn(asking, '/follow'))
  return { email, link, asking, path: m.pathIn(asking, '/s') }
}

const newsTo = (email: string) => m.to(email).filter(({ subject }) => subject.startsWith('News of'))

describe('a person of the circle', () => {
  it('reads a private project by a link of their own, and gets emails once they have confirmed', async () => {
    const project = await aProject(m.t, 'private')
    await m.t.entry(project.ada, project.milestoneId, { title: 'Before' })
    const { email, asking, path } = await emailed(project)
    expect(asking?.subject).toBe('Ada shares “Canoe” with you')
    expect(asking?.text).not.toContain(project.projectId)
    const browser = await browserAt(m.t.app, path)
    expect((await browser.get(browser.home)).body).toContain('Before')
    expect((await listed(project))[0]?.person).toEqual({ email, isConfirmed: true })

    await m.t.entry(project.ada, project.milestoneId, { title: 'Steamed ribs' })
    await m.after(25)
    const [news] = newsTo(email)
    expect(news?.text).toContain('“Steamed ribs”')
    expect(news?.text).not.toContain(project.projectId)
    expect(m.pathIn(news, '/s')).toBe(path)
    await m.post(m.pathIn(news, '/unsubscribe'))
    await m.t.entry(project.ada, project.milestoneId)
    await m.after(25)
    expect(newsTo(email)).toHaveLength(1)
    // The link is still theirs.
    expect((await listed(project))[0]?.person).toEqual({ email: null, isConfirmed: false })
    expect((await browser.get(browser.home)).statusCode).toBe(200)
  })

  it('gets no emails before they have confirmed, and none without an address', async () => {
    const project = await aProject(m.t, 'private')
    const email = anAddress()
    await add(project, { email })
    await add(project)
    await m.sendQueued()
    expect(m.sent).toHaveLength(1)
    await m.t.entry(project.ada, project.milestoneId)
    await m.after(25)
    expect(m.sent).toHaveLength(1)
  })

  it.each<[string, (project: Project, linkId: string) => Promise<unknown>]>([
    [
      'was let go',
      ({ ada, projectId }, linkId) =>
        m.t.call('revokeShareLink', { params: { projectId, linkId } }, { as: ada }),
    ],
    [
      'has a link that has ended',
      (_, linkId) => sql`update share_links set expires_at = now() where id = ${linkId}`.execute(m.t.deps.db),
    ],
    [
      'reads a project that is in the trash now',
      ({ ada, projectId }) => m.t.call('deleteProject', { params: { projectId } }, { as: ada }),
    ],
  ])('hears and reads nothing if, the second before, they or their project %s', async (_what, change) => {
    const project = await aProject(m.t, 'private')
    const { email, link, path } = await emailed(project)
    const other = await emailed(project)
    const browser = await browserAt(m.t.app, path)
    await m.t.entry(project.ada, project.milestoneId, { title: 'Secret' })
    await m.pass(25)
    await m.queue()
    await change(project, link._id)
    await m.sendQueued()
    expect(newsTo(email)).toEqual([])
    expect((await browser.get(browser.home)).statusCode).toBe(404)
    expect((await m.t.app.inject({ url: path })).body).not.toContain('Canoe')
    const isOtherStill = (await listed(project).catch(() => [])).some(({ _id }) => _id === other.link._id)
    expect(newsTo(other.email)).toHaveLength(isOtherStill ? 1 : 0)
  })

  it('with a new address cannot use the addresses in earlier emails', async () => {
    const project = await aProject(m.t, 'private')
    const { link, path } = await emailed(project)
    const params = { projectId: project.projectId, linkId: link._id }
    await m.t.call('renewShareLink', { params }, { as: project.ada })
    expect((await m.t.app.inject({ url: path })).statusCode).toBe(404)
    expect((await m.t.app.inject({ url: path.replace(/.$/, 'x') })).statusCode).toBe(404)
  })

  it('whose link shows a part hears of that part alone', async () => {
    const project = await aProject(m.t, 'private')
    const { email } = await emailed(project, { fromDay: '2026-03-01' })
    await m.t.entry(project.ada, project.milestoneId, { title: 'Early', happenedOn: '2026-02-01' })
    await m.t.entry(project.ada, project.milestoneId, { title: 'Later', happenedOn: '2026-03-02' })
    await m.after(25)
    expect(newsTo(email)[0]?.text).toContain('“Later”')
    expect(newsTo(email)[0]?.text).not.toContain('Early')
  })

  it('is asked again at another address, and the former one is removed', async () => {
    const project = await aProject(m.t, 'private')
    const { email, link } = await emailed(project)
    const other = anAddress()
    const params = { projectId: project.projectId, linkId: link._id }
    const changed = await m.t.call(
      'updateShareLink',
      { params, body: { person: { email: other } } },
      { as: project.ada },
    )
    expect(changed.person).toEqual({ email: other, isConfirmed: false })
    await m.sendQueued()
    expect(m.to(other)).toHaveLength(1)
    const { rows } = await sql`select from followers where email = ${email}`.execute(m.t.deps.db)
    expect(rows).toEqual([])
    const removed = await m.t.call(
      'updateShareLink',
      { params, body: { person: { email: null } } },
      { as: project.ada },
    )
    expect(removed.person).toEqual({ email: null, isConfirmed: false })
  })

  it('is not counted among the followers of the public project', async () => {
    const project = await aProject(m.t, 'public')
    await emailed(project)
    const params = { projectId: project.projectId }
    expect((await m.t.call('readReaders', { params }, { as: project.ada })).followers).toBe(0)
  })
})

it('a circle has at most fifty people, besides the links of anybody', async () => {
  const project = await aProject(m.t, 'private')
  for (let n = 0; n < CIRCLE_MAX; n += 1) await add(project, { name: `Person ${n}` })
  const input = { params: { projectId: project.projectId }, body: { name: 'One more', person: {} } }
  expect(await m.t.refused('createShareLink', input, { as: project.ada })).toMatchObject({ code: 'conflict' })
  const ofAnybody = { ...input, body: { name: 'The club' } }
  expect((await m.t.call('createShareLink', ofAnybody, { as: project.ada })).link.person).toBeNull()
})

it('a link of one person has no password, and one of anybody gets no person', async () => {
  const { ada, projectId } = await aProject(m.t, 'private')
  const params = { projectId }
  const body = { name: 'Grandma', person: {}, password: 'canoe river' }
  expect(await m.t.refused('createShareLink', { params, body }, { as: ada })).toMatchObject({ status: 400 })
  const club = await m.t.call('createShareLink', { params, body: { name: 'The club' } }, { as: ada })
  const change = { params: { ...params, linkId: club.link._id }, body: { person: { email: anAddress() } } }
  expect(await m.t.refused('updateShareLink', change, { as: ada })).toMatchObject({ status: 400 })
})

it('one mailbox is asked at most three times a day by one person, who does not learn it', async () => {
  const project = await aProject(m.t, 'private')
  for (let n = 0; n < 5; n += 1) await add(project, { email: `victim+${n}@example.org` })
  expect(m.queued).toHaveLength(3)
})
