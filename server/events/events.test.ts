import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { TOKEN_SECONDS } from '#contract/token-lifetime.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { readEvents, replicaOf } from './testing.ts'

let t: TestApp
/** The server with the event streams; changes are made on `t`. */
let other: Awaited<ReturnType<typeof replicaOf>>
beforeAll(async () => {
  t = await testApp()
  other = await replicaOf(t)
  await other.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await other.close()
  await t.close()
})

const leaving: (() => void)[] = []
afterEach(() => leaving.splice(0).forEach((leave) => leave()))

async function listening(person: Person, app = other.app) {
  const reading = await readEvents(app, person)
  leaving.push(reading.leave)
  await vi.waitFor(() => expect(reading.heard).toContainEqual({ type: 'ready' }), { timeout: 60_000 })
  reading.heard.splice(0)
  return reading
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

/** Waits for events of a project that are still under way, and discards them: each event first looks up its members. */
async function settle(
  project: { _id: string },
  { heard }: Pick<Awaited<ReturnType<typeof readEvents>>, 'heard'>,
) {
  for (let times = 0; times < 3; times += 1) {
    heard.splice(0)
    t.deps.events.publish({ project: project._id })
    await soon(() => expect(heard).toContainEqual({ type: 'project', projectId: project._id }))
  }
  heard.splice(0)
}

describe('a stream of events', () => {
  it('requires a signed-in user, by the token in the header', async () => {
    const { headers } = await t.person()
    const status = async (url: string, sent: Record<string, string>) =>
      (await t.app.inject({ url, headers: sent })).statusCode
    expect(await status(EVENTS_PATH, {})).toBe(401)
    expect(await status(EVENTS_PATH, { authorization: 'Bearer nonsense' })).toBe(401)
    const token = headers.authorization?.slice('Bearer '.length) ?? ''
    expect(await status(`${EVENTS_PATH}?token=${token}&access_token=${token}`, {})).toBe(401)
  })

  it('begins with ready, and tells proxies neither to buffer nor to compress it', async () => {
    const { response } = await listening(await t.person())
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/event-stream')
    expect(response.headers['cache-control']).toBe('no-store, no-transform')
    expect(response.headers['x-accel-buffering']).toBe('no')
    expect(response.headers['content-encoding']).toBeUndefined()
  })

  it('delivers changes made on another server to the owner and members only', async () => {
    const owner = await t.person()
    const project = await t.project(owner, { isPublic: true })
    const viewer = await t.member(project._id, 'viewer')
    const readings = await Promise.all([owner, viewer].map((person) => listening(person)))
    const stranger = await listening(await t.person())
    const milestone = await t.milestone(owner, project._id)
    const events = { type: 'project', projectId: project._id }
    for (const { heard } of readings) await soon(() => expect(heard).toContainEqual(events))
    for (const { heard } of readings) heard.splice(0)
    await t.entry(owner, milestone._id)
    for (const { heard } of readings) await soon(() => expect(heard).toContainEqual(events))
    expect(stranger.heard).toEqual([])
  })

  it('contains no content', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const { heard } = await listening(owner)
    await t.milestone(owner, project._id, { title: 'Secret' })
    await soon(() => expect(heard).not.toEqual([]))
    expect(heard.map(Object.keys)).toEqual(heard.map(() => ['type', 'projectId']))
  })

  it('publishes nothing for a change that failed', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const viewer = await t.member(project._id, 'viewer')
    const publish = vi.spyOn(t.deps.events, 'publish')
    const asked = { params: { projectId: project._id }, body: { title: 'x', description: 'y' } }
    await t.refused('createMilestone', asked, { as: viewer })
    expect(publish).not.toHaveBeenCalled()
    await t.call('createMilestone', asked, { as: owner })
    expect(publish).toHaveBeenCalled()
  })

  it('notifies every member that a project was deleted', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const member = await t.member(project._id, 'admin')
    const reading = await listening(member)
    const { heard } = reading
    await settle(project, reading)
    await t.call('deleteProject', { params: { projectId: project._id } }, { as: owner })
    await soon(() => expect(heard).toEqual([{ type: 'project', projectId: project._id }]))
  })

  it('notifies a removed member once, and of nothing that happens afterwards', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const removed = await t.member(project._id, 'editor')
    const ownProject = await t.project(removed)
    const [theirs, mine] = [await listening(removed), await listening(owner)]
    /** Waits for events that are still under way, and discards them. */
    const settle = async () => {
      for (let times = 0; times < 2; times += 1) {
        theirs.heard.splice(0)
        t.deps.events.publish({ project: ownProject._id })
        await soon(() => expect(theirs.heard).toContainEqual({ type: 'project', projectId: ownProject._id }))
      }
      for (const { heard } of [theirs, mine]) heard.splice(0)
    }
    await settle()
    await t.deps.db.deleteFrom('collaborators').where('user_id', '=', removed.userId).execute()
    t.deps.events.publish({ project: project._id }, { person: removed.userId, project: project._id })
    const events = { type: 'project', projectId: project._id }
    await soon(() => expect(theirs.heard).toContainEqual(events))
    await soon(() => expect(mine.heard).toHaveLength(1))
    await t.milestone(owner, project._id)
    await soon(() => expect(mine.heard).toHaveLength(2))
    expect(theirs.heard.filter((event) => 'projectId' in event && event.projectId === project._id)).toEqual([
      events,
    ])
  })

  it('delivers notification events only to their recipient', async () => {
    const [one, another] = [await t.person(), await t.person()]
    const [mine, theirs] = [await listening(one), await listening(another)]
    t.deps.events.publish({ person: one.userId })
    await soon(() => expect(mine.heard).toEqual([{ type: 'notifications' }]))
    expect(theirs.heard).toEqual([])
  })
})

describe('a stream ends', () => {
  it('when its session is signed out, on any server', async () => {
    const person = await t.person()
    const reading = await listening(person)
    await t.call('signOut', {}, { as: person })
    await soon(() => expect(reading.hasEnded).toBe(true))
  })

  it('when its session is deleted in any way, and no other stream does', async () => {
    const [person, another] = [await t.person(), await t.person()]
    const [reading, untouched] = [await listening(person), await listening(another)]
    await sql`delete from sessions where user_id = ${person.userId}`.execute(t.deps.db)
    await soon(() => expect(reading.hasEnded).toBe(true))
    expect(untouched.hasEnded).toBe(false)
  })

  it('when its token expires', async () => {
    const reading = await listening(await t.person())
    t.later(TOKEN_SECONDS * 1000)
    await soon(() => expect(reading.hasEnded).toBe(true))
    t.later(-TOKEN_SECONDS * 1000)
  })

  it('if one person has too many, the oldest first', { tags: ['long'] }, async () => {
    const person = await t.person()
    const first = await listening(person)
    const rest = []
    for (let count = 0; count < 20; count += 1) rest.push(await listening(person))
    await soon(() => expect(first.hasEnded).toBe(true))
    expect(rest.filter(({ hasEnded }) => hasEnded)).toEqual([])
  })

  it('immediately when the server shuts down, which streams do not delay', async () => {
    const stopping = await replicaOf(t)
    await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const reading = await listening(await t.person(), stopping.app)
    await stopping.close()
    await soon(() => expect(reading.hasEnded).toBe(true))
  })
})

describe('a server', () => {
  it('limits the number of streams and asks further clients to retry later', async () => {
    const small = await replicaOf(t, { eventStreamsMax: 1 })
    await small.app.listen({ port: 0, host: '127.0.0.1' })
    const first = await listening(await t.person(), small.app)
    const { headers } = await t.person()
    const refused = await small.app.inject({ url: EVENTS_PATH, headers })
    expect(refused.statusCode).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    first.leave()
    await soon(() => expect(first.hasEnded).toBe(true))
    await vi.waitFor(() => listening({ headers } as Person, small.app), { timeout: 60_000 })
    await small.close()
  })

  it('that reconnects to the database sends ready, and ends the streams of sessions that were revoked in the meantime', async () => {
    const [person, leaver] = [await t.person(), await t.person()]
    const [reading, left] = [await listening(person), await listening(leaver)]
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'milepost events'`.execute(t.deps.db)
    await sql`delete from sessions where user_id = ${leaver.userId}`.execute(t.deps.db)
    await soon(() => expect(reading.heard).toEqual([{ type: 'ready' }]))
    await soon(() => expect(left.hasEnded).toBe(true))
    t.deps.events.publish({ person: person.userId })
    await soon(() => expect(reading.heard).toContainEqual({ type: 'notifications' }))
  })
})
