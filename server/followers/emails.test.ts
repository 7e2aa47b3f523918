import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Undeliverable } from '#server/platform/mail/failure.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { runs } from '#testing/runs.ts'
import { aProject, type MailingApp, mailingApp } from './testing.ts'

let m: MailingApp
beforeAll(async () => {
  m = await mailingApp()
})
afterAll(() => m.t.close())
beforeEach(async () => {
  m.queued.length = 0
  await sql`delete from call_limits`.execute(m.t.deps.db)
  await sql`delete from followers`.execute(m.t.deps.db)
})

const BO = 'bo@example.org'

/** A public project that Bo follows, after whose confirmation nothing was sent. */
async function followed() {
  const project = await aProject(m.t)
  await m.follow(project.projectId, BO)
  m.sent.length = 0
  return project
}

const newsTo = (address = BO) => m.to(address).filter(({ subject }) => subject.startsWith('News of'))

describe('the email to a follower', () => {
  it('has what was published and reached since the one before, an hour later, and leads straight to it', async () => {
    const { ada, projectId, milestoneId } = await followed()
    const { _id: entryId } = await m.t.entry(ada, milestoneId, { title: 'Click https://phish.example' })
    await m.after(0.5)
    expect(newsTo()).toEqual([])
    await m.after(0.6)
    const [email] = newsTo()
    expect(email?.subject).toBe('News of “Canoe”')
    expect(email?.text).toContain('“Click https:\u200b/\u200b/\u200bphish.\u200bexample”')
    expect(email?.text).toContain(`https://milepost.example/world/${projectId}/entries/${entryId}\n`)
    expect(email?.unsubscribe).toMatch(/^https:\/\/milepost\.example\/unsubscribe\/follower\//)
    expect(email?.html).not.toContain('<img')
    const links = Array.from(email?.html.matchAll(/href="([^"]*)"/g) ?? [], ([, url]) => url)
    const entry = `https://milepost.example/world/${projectId}/entries/${entryId}`
    expect(links).toEqual([entry, email?.unsubscribe])

    await m.t.call(
      'updateMilestone',
      { params: { projectId, milestoneId }, body: { completed: true } },
      { as: ada },
    )
    for (const title of ['Two', 'Three']) await m.t.entry(ada, milestoneId, { title })
    await m.after(25)
    const [, second] = newsTo()
    expect(second?.text).toContain('The milestone “Lumber” is reached.')
    expect(second?.text).toMatch(/“Two”\n\n“Three”\n\n/)
    expect(second?.text).not.toContain('phish')
    await m.after(25)
    expect(newsTo()).toHaveLength(2)
  })

  it('comes at most once a day, also while the mail server did not work', async () => {
    const { ada, milestoneId } = await followed()
    await m.t.entry(ada, milestoneId)
    await m.pass(2)
    await m.queue()
    expect(m.queued).toHaveLength(1)
    await m.t.entry(ada, milestoneId)
    // The first one is still to be sent.
    await m.pass(30)
    await m.queue()
    expect(m.queued).toHaveLength(1)
    await m.sendQueued()
    await m.after(23)
    expect(newsTo()).toHaveLength(1)
    await m.after(1.1)
    expect(newsTo()).toHaveLength(2)
  })

  it('names twenty things, and counts the others', async () => {
    const { ada, milestoneId } = await followed()
    for (let n = 1; n <= 23; n += 1) await m.t.entry(ada, milestoneId, { title: `Entry ${n}.` })
    await m.after(25)
    expect(newsTo()[0]?.text).toContain('“Entry 20.”\n\nAnd 3 more.')
  })

  it('is not sent about what was published before somebody followed', async () => {
    const project = await aProject(m.t)
    await m.t.entry(project.ada, project.milestoneId)
    await m.follow(project.projectId, BO)
    m.sent.length = 0
    await m.after(25)
    expect(newsTo()).toEqual([])
  })

  it('is sent again with the same id if the server dies before it is recorded, and never after', async () => {
    const { ada, milestoneId } = await followed()
    await m.t.entry(ada, milestoneId)
    await m.pass(2)
    await m.queue()
    const [order] = m.queued.splice(0)
    if (!order) throw new Error('nothing was queued')
    const dying: Mail = {
      send: async (email) => {
        m.sent.push(email)
        throw new Error('killed')
      },
    }
    await expect(m.send(order, dying)).rejects.toThrow('killed')
    await m.send(order)
    await m.send(order)
    const ids = newsTo().map(({ id }) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('is one, however many servers find it due at once', async () => {
    const { ada, projectId, milestoneId } = await followed()
    await m.follow(projectId, 'other@example.org')
    m.sent.length = 0
    await m.t.entry(ada, milestoneId)
    await m.pass(2)
    await Promise.all([m.queue(), m.queue(), m.queue()])
    await m.sendQueued()
    expect([newsTo().length, newsTo('other@example.org').length]).toEqual([1, 1])
  })
})

it('a mailbox that refuses three emails in a row gets no more, and its address is gone', async () => {
  const { ada, projectId, milestoneId } = await followed()
  const followers = async () =>
    (await m.t.call('readReaders', { params: { projectId } }, { as: ada })).followers
  const refusing: Mail = {
    send: async () => {
      throw new Undeliverable('no such user')
    },
  }
  const nextDay = async (mail?: Mail) => {
    await m.t.entry(ada, milestoneId)
    await m.pass(25)
    await m.queue()
    const orders = m.queued.splice(0)
    for (const order of orders) await m.send(order, mail)
    return orders.length
  }
  await nextDay(refusing)
  await nextDay(refusing)
  await nextDay()
  expect(newsTo()).toHaveLength(1)
  for (let day = 0; day < 3; day += 1) {
    expect(await followers()).toBe(1)
    expect(await nextDay(refusing)).toBe(1)
  }
  expect(await followers()).toBe(0)
  expect(await nextDay(refusing)).toBe(0)
})

type Written = Awaited<ReturnType<typeof followed>> & { entryId: string }

describe('nothing is sent about what', () => {
  it.each<[string, (at: Written) => Promise<unknown>]>([
    [
      'is a draft again',
      ({ ada, milestoneId, entryId }) =>
        m.t.call('updateEntry', { params: { milestoneId, entryId }, body: { state: 'draft' } }, { as: ada }),
    ],
    [
      'is in the trash',
      ({ ada, milestoneId, entryId }) =>
        m.t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: ada }),
    ],
    [
      'is in a milestone in the trash',
      ({ ada, projectId, milestoneId }) =>
        m.t.call('deleteMilestone', { params: { projectId, milestoneId } }, { as: ada }),
    ],
    [
      'was moved to another project',
      async ({ ada, milestoneId, entryId }) => {
        const { _id } = await m.t.project(ada, { visibility: 'private' })
        const { _id: milestone } = await m.t.milestone(ada, _id)
        return m.t.call('updateEntry', { params: { milestoneId, entryId }, body: { milestone } }, { as: ada })
      },
    ],
    [
      'is in a private project',
      ({ ada, projectId }) =>
        m.t.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }, { as: ada }),
    ],
    [
      'is in a project in the trash',
      ({ ada, projectId }) => m.t.call('deleteProject', { params: { projectId } }, { as: ada }),
    ],
    [
      'is in a project that offers no emails any more',
      ({ ada, projectId }) =>
        m.t.call('changeReaders', { params: { projectId }, body: { emails: false } }, { as: ada }),
    ],
    ['nobody follows any more', () => sql`delete from followers where email = ${BO}`.execute(m.t.deps.db)],
  ])('%s, since the second before', async (_what, change) => {
    const project = await followed()
    const { _id: entryId } = await m.t.entry(project.ada, project.milestoneId)
    await m.pass(2)
    await m.queue()
    expect(m.queued).toHaveLength(1)
    await change({ ...project, entryId })
    await m.sendQueued()
    expect(newsTo()).toEqual([])
  })

  it('is a draft, scheduled, or was never public', async () => {
    const { ada, projectId, milestoneId } = await followed()
    const publishAt = new Date(Date.now() + 3_600_000).toISOString()
    await m.t.entry(ada, milestoneId, { title: 'A draft', state: 'draft' })
    await m.t.entry(ada, milestoneId, { title: 'Later', state: 'scheduled', publishAt })
    await m.after(25)
    await m.t.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }, { as: ada })
    await m.t.entry(ada, milestoneId, { title: 'While private' })
    await m.after(25)
    expect(m.sent).toEqual([])
  })
})

it('all news is in exactly one email, in order, whoever publishes when', async () => {
  const steps = constantFrom('publish', 'publish and queue', 'queue', 'day')
  const property = asyncProperty(array(steps, { minLength: 4, maxLength: 14 }), async (taken) => {
    await sql`delete from followers`.execute(m.t.deps.db)
    await sql`delete from call_limits`.execute(m.t.deps.db)
    const { ada, milestoneId } = await followed()
    const happened: string[] = []
    const publish = (title: string) => {
      happened.push(title)
      return m.t.entry(ada, milestoneId, { title })
    }
    for (const [n, step] of taken.entries()) {
      if (step === 'publish') await publish(`News-${n}`)
      if (step === 'publish and queue')
        await Promise.all([publish(`News-${n}a`), m.queue(), publish(`News-${n}b`), m.queue()])
      if (step === 'queue') await m.after(2)
      if (step === 'day') await m.after(25)
    }
    await m.after(25)
    await m.after(25)
    const told = newsTo().flatMap(({ text }) =>
      Array.from(text.matchAll(/News-\d+[ab]?/g), ([title]) => title),
    )
    expect(told.toSorted()).toEqual(happened.toSorted())
  })
  await assert(property, { numRuns: runs(12) })
}, 120_000)
