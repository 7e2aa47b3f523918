import { array, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OfferedReaction, REACTIONS, type ReactionKind } from '#contract/reactions.ts'
import { browserAt, linkOf } from '#server/shares/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { runs } from '#testing/runs.ts'
import { reactionSweep } from './feature.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await sql`delete from call_limits`.execute(t.deps.db)
})

const offer = (as: Person, projectId: string, reactions = true) =>
  t.call('changeReaders', { params: { projectId }, body: { reactions } }, { as })

async function written(visibility: 'public' | 'unlisted' | 'private' = 'public') {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title: 'Canoe', visibility })
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const { _id: entryId } = await t.entry(ada, milestoneId)
  await offer(ada, projectId)
  return { ada, projectId, milestoneId, entryId, path: `/world/${projectId}/entries/${entryId}/reactions` }
}

type Reader = { ip: string; agent: string; cookie?: string }
const BO: Reader = { ip: '192.0.2.1', agent: 'Firefox' }

const headersOf = ({ agent, cookie }: Reader) => ({ 'user-agent': agent, ...(cookie && { cookie }) })

const asJson = { accept: 'application/json' }

const read = (path: string, reader = BO, headers: Record<string, string> = asJson) =>
  t.app.inject({ url: path, remoteAddress: reader.ip, headers: { ...headersOf(reader), ...headers } })

const send = (
  path: string,
  reader: Reader,
  form: Record<string, string>,
  headers: Record<string, string> = asJson,
) =>
  t.app.inject({
    method: 'POST',
    url: path,
    remoteAddress: reader.ip,
    headers: {
      ...headersOf(reader),
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams(form).toString(),
  })

const give = (path: string, kind: string, reader = BO) => send(path, reader, { give: kind })

/** Presses the button of a reaction, which gives it or takes it back. */
async function press(path: string, kind: ReactionKind, reader = BO) {
  const shown = (await read(path, reader)).json<OfferedReaction[]>()
  const isMine = shown.find((reaction) => reaction.kind === kind)?.isMine
  const answer = await send(path, reader, { [isMine ? 'take' : 'give']: kind })
  expect(answer.statusCode).toBe(200)
}

const countsIn = (reactions: OfferedReaction[]) =>
  Object.fromEntries(reactions.map(({ kind, count }) => [kind, count]))

const rows = async () =>
  (await sql<{ count: number }>`select count(*)::integer as count from entry_reactions`.execute(t.deps.db))
    .rows[0]?.count

describe('reactions', () => {
  it('count the readers who pressed an odd number of times, on the public page and by a link', async () => {
    const { ada, projectId, entryId, milestoneId, path } = await written()
    const link = await linkOf(t, ada, projectId)
    const { home, answer } = await browserAt(t.app, link.path)
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    const shared = `${home}/entries/${entryId}/reactions`
    const reader = record({
      ip: constantFrom('192.0.2.1', '198.51.100.7', '2001:db8::1', '2001:db8::2'),
      agent: constantFrom('Firefox', 'Safari'),
    })
    const step = record({ reader, kind: constantFrom(...REACTIONS), isShared: boolean() })
    await assert(
      asyncProperty(array(step, { maxLength: 25 }), async (steps) => {
        await sql`delete from entry_reactions`.execute(t.deps.db)
        await sql`delete from call_limits`.execute(t.deps.db)
        const pressed = new Map<string, number>()
        for (const { reader: by, kind, isShared } of steps) {
          await press(isShared ? shared : path, kind, isShared ? { ...by, cookie } : by)
          // Both IPv6 addresses are of one network.
          const key = `${kind} ${by.ip.replace('::2', '::1')} ${by.agent}`
          pressed.set(key, (pressed.get(key) ?? 0) + 1)
        }
        const expected = Object.fromEntries(
          REACTIONS.map((kind) => [
            kind,
            Array.from(pressed).filter(([key, times]) => key.startsWith(`${kind} `) && times % 2 === 1)
              .length,
          ]),
        )
        expect(countsIn((await read(path)).json())).toEqual(expected)
        expect(countsIn((await read(shared, { ...BO, cookie })).json())).toEqual(expected)
        const toMembers = await t.call('readReactions', { params: { milestoneId, entryId } }, { as: ada })
        expect(Object.fromEntries(toMembers.map(({ kind, count }) => [kind, count]))).toEqual(
          Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0)),
        )
      }),
      { numRuns: runs(12) },
    )
  }, 60_000)

  it('of one reader count once, also sent twice at once', async () => {
    const { path } = await written()
    await Promise.all(Array.from({ length: 6 }, () => give(path, 'love')))
    expect(countsIn((await read(path)).json()).love).toBe(1)
    await Promise.all(Array.from({ length: 6 }, () => send(path, BO, { take: 'love' })))
    expect(countsIn((await read(path)).json()).love).toBe(0)
  })

  it('change neither the page of the entry nor what it is cached by', async () => {
    const { projectId, path } = await written()
    const page = () => t.app.inject({ url: path.replace('/reactions', '') })
    const before = await page()
    expect(before.body).toContain(`action="${path}"`)
    await give(path, 'love')
    const after = await page()
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.body).toBe(before.body)
    expect((await t.app.inject({ url: `/world/${projectId}` })).body).not.toContain('reactions')
  })

  it('have a page without scripts, whose buttons lead back to it', async () => {
    const { path } = await written()
    const html = { accept: 'text/html' }
    expect((await read(path, BO, html)).body).toMatch(/Lovely <span[^>]*><\/span>/)
    const sent = await send(path, BO, { give: 'love' }, html)
    expect([sent.statusCode, sent.headers.location]).toEqual([303, path])
    const mine = await read(path, BO, html)
    expect(mine.body).toMatch(/value="love" aria-pressed="true"[^>]* name="take"/)
    expect(mine.body).toMatch(/Lovely <span[^>]*>1<\/span>/)
    expect((await read(path, { ...BO, agent: 'Safari' }, html)).body).toMatch(
      /value="love" aria-pressed="false"[^>]* name="give"/,
    )
    expect(mine.headers).toMatchObject({
      'cache-control': 'private, no-store, no-transform',
      'x-robots-tag': 'noindex',
    })
    expect(mine.headers['set-cookie']).toBeUndefined()
  })

  it('are stored with nothing of the reader but a hash, which differs between entries', async () => {
    const { ada, projectId, milestoneId, path } = await written()
    const { _id } = await t.entry(ada, milestoneId)
    await give(path, 'love')
    await give(`/world/${projectId}/entries/${_id}/reactions`, 'love')
    const { rows: stored } = await sql<{ row: object; reader: string }>`
      select to_jsonb(r) as row, encode(reader, 'hex') as reader from entry_reactions r
      join entries e on e.id = r.entry_id where e.milestone_id = ${milestoneId}`.execute(t.deps.db)
    expect(stored.map(({ row }) => Object.keys(row).toSorted())).toEqual(
      Array.from({ length: 2 }, () => ['entry_id', 'kind', 'reader', 'year']),
    )
    expect(new Set(stored.map(({ reader }) => reader)).size).toBe(2)
  })

  it('of earlier years are counted, and their readers forgotten with the salt', async () => {
    const { path } = await written()
    await give(path, 'love')
    await give(path, 'smile', { ...BO, agent: 'Safari' })
    await sql`update entry_reactions set year = year - 1`.execute(t.deps.db)
    await sql`update reaction_salts set year = year - 1`.execute(t.deps.db)
    expect(countsIn((await read(path)).json())).toMatchObject({ love: 1, smile: 1 })
    await reactionSweep(t.deps).run()
    expect(await rows()).toBe(0)
    expect((await sql`select from reaction_salts`.execute(t.deps.db)).rows).toEqual([])
    await give(path, 'love')
    expect((await read(path)).json()).toContainEqual({ kind: 'love', count: 2, isMine: true })
    await send(path, BO, { take: 'love' })
    expect((await read(path)).json()).toContainEqual({ kind: 'love', count: 1, isMine: false })
  })
})

describe('what readers do not see', () => {
  type Written = Awaited<ReturnType<typeof written>>
  const gone: { [what: string]: (w: Written) => Promise<unknown> } = {
    'without the offer': ({ ada, projectId }) => offer(ada, projectId, false),
    'in a private project': ({ ada, projectId }) =>
      t.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }, { as: ada }),
    'that is a draft again': ({ ada, milestoneId, entryId }) =>
      t.call('updateEntry', { params: { milestoneId, entryId }, body: { state: 'draft' } }, { as: ada }),
    'in the trash': ({ ada, milestoneId, entryId }) =>
      t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: ada }),
    'of a milestone in the trash': ({ ada, projectId, milestoneId }) =>
      t.call('deleteMilestone', { params: { projectId, milestoneId } }, { as: ada }),
    'of a project in the trash': ({ ada, projectId }) =>
      t.call('deleteProject', { params: { projectId } }, { as: ada }),
  }

  it.each(Object.keys(gone))('takes nothing %s, and answers as if it had never been', async (what) => {
    const w = await written()
    await give(w.path, 'love')
    const before = await rows()
    await gone[what]?.(w)
    const unknown = `/world/${w.projectId}/entries/${w.projectId}/reactions`
    for (const headers of [asJson, { accept: 'text/html' }]) {
      const answers = [
        await read(w.path, BO, headers),
        await send(w.path, BO, { give: 'smile' }, headers),
        await send(w.path, BO, { take: 'love' }, headers),
        await read(unknown, BO, headers),
        await send(unknown, BO, { give: 'smile' }, headers),
        await read('/world/nothing/entries/nothing/reactions', BO, headers),
      ]
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    }
    expect(await rows()).toBe(before)
  })

  it('by a link is what the link does not show', async () => {
    const { ada, projectId, milestoneId, entryId } = await written('private')
    const { _id: hidden } = await t.entry(ada, milestoneId)
    const at = async (fields: Parameters<typeof linkOf>[3]) => {
      const link = await linkOf(t, ada, projectId, fields)
      const { home, answer } = await browserAt(t.app, link.path)
      const reader = { ...BO, cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' }
      return { link, home, reader }
    }
    const one = await at({ entry: entryId })
    const locked = await at({ password: 'canoe river' })
    const to = (home: string, entry = entryId) => `${home}/entries/${entry}/reactions`
    expect((await give(to(one.home), 'love', one.reader)).statusCode).toBe(200)
    expect((await give(to(one.home), 'love')).statusCode).toBe(404)
    expect((await give(to(one.home, hidden), 'love', one.reader)).statusCode).toBe(404)
    expect((await give(to(`/world/${projectId}`), 'love', one.reader)).statusCode).toBe(404)
    expect((await give(to(locked.home), 'love', locked.reader)).statusCode).toBe(404)
    await t.call('revokeShareLink', { params: { projectId, linkId: one.link._id } }, { as: ada })
    expect((await give(to(one.home), 'love', one.reader)).statusCode).toBe(404)
  })
})

describe('a robot', () => {
  it('of one network gives an entry few reactions, with however many names', async () => {
    const { path } = await written()
    const before = (await rows()) ?? 0
    const answers = []
    for (let index = 0; index < 30; index += 1)
      answers.push((await give(path, 'love', { ...BO, agent: `Robot ${index}` })).statusCode)
    expect(answers.filter((status) => status === 200)).toHaveLength(20)
    expect(answers.at(-1)).toBe(429)
    expect(await rows()).toBe(before + 20)
    expect((await give(path, 'love', { ...BO, ip: '203.0.113.9' })).statusCode).toBe(200)
    const page = await send(path, { ...BO, agent: 'Robot' }, { give: 'love' }, { accept: 'text/html' })
    expect(page.statusCode).toBe(429)
    expect(page.body).toContain('There were too many reactions today')
  })

  it.runIf(process.env.MILEPOST_TESTS === 'all')(
    'with many networks fills neither the table nor the limits of other projects',
    async () => {
      const [target, calm] = [await written(), await written()]
      const before = (await rows()) ?? 0
      await sql`delete from entry_reactions where entry_id = ${target.entryId}`.execute(t.deps.db)
      const sent = Array.from({ length: 1_010 }, (_, index) =>
        give(target.path, 'love', { ip: `10.0.${index >> 8}.${index & 255}`, agent: 'Robot' }),
      )
      const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1_000)
      expect(await rows()).toBe(before + 1_000)
      expect((await give(calm.path, 'love')).statusCode).toBe(200)
    },
    60_000,
  )

  it('is answered, whatever it sends', async () => {
    const { path } = await written()
    const before = await rows()
    for (const form of [{}, { give: 'hate' }, { give: '' }, { take: '__proto__' }, { give: "love'--" }])
      expect((await send(path, BO, form as Record<string, string>)).statusCode).toBe(200)
    const foreign = { ...asJson, 'sec-fetch-site': 'cross-site' }
    expect((await send(path, BO, { give: 'love' }, foreign)).statusCode).toBe(200)
    const long = { ...BO, agent: 'x'.repeat(8_000) }
    expect((await give(path, 'smile', long)).statusCode).toBe(200)
    await send(path, long, { take: 'smile' })
    expect((await send(path, BO, { give: 'x'.repeat(300) })).statusCode).toBeGreaterThanOrEqual(400)
    const json = { 'content-type': 'application/json', ...asJson }
    for (const payload of ['{"give":"love"}', '[]', '{']) {
      const answer = await t.app.inject({ method: 'POST', url: path, headers: json, payload })
      expect(answer.statusCode).toBeLessThan(500)
    }
    expect(await rows()).toBe(before)
  })
})
