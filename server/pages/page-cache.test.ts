import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notFound } from '#server/platform/api/errors.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { testPages } from './testing.ts'

let t: TestApp
let owner: Person
let apps: [FastifyInstance, FastifyInstance]
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  owner = await t.person({ name: 'Grace Hopper' })
  apps = [t.app, await t.replica()]
})
afterAll(async () => {
  await apps[1].close()
  await t.close()
})

async function published(content = 'They **bend**.') {
  const project = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, project._id)
  const entry = await t.entry(owner, milestone._id, { title: 'Boards', content })
  const at = { milestoneId: milestone._id, entryId: entry._id }
  return {
    at,
    params: { projectId: project._id },
    projectUrl: `/world/${project._id}`,
    entryUrl: `/world/${project._id}/entries/${entry._id}`,
  }
}

/** Returns a copy of the object with some properties replaced. */
const instead = <T extends object>(whole: T, own: Partial<T>): T =>
  new Proxy(whole, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name) as unknown
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const get = (app: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers })
const onBoth = (url: string, headers?: Record<string, string>) =>
  Promise.all(apps.map((app) => get(app, url, headers)))
const essence = ({ statusCode, headers, rawPayload }: Awaited<ReturnType<typeof get>>) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { statusCode, headers: rest, bytes: rawPayload.toString('base64') }
}

describe('a cached page', () => {
  it('equals the rendered bytes, in every encoding and on every process', async () => {
    const { projectUrl, entryUrl } = await published()
    for (const url of ['/', '/markdown-guide', '/login', projectUrl, entryUrl]) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const headers = { 'accept-encoding': encoding }
        const rendered = await onBoth(url, headers)
        const kept = await onBoth(url, headers)
        expect(rendered[0]?.statusCode).toBe(200)
        expect(new Set([...rendered, ...kept].map((page) => JSON.stringify(essence(page)))).size).toBe(1)
      }
    }
  })

  it('is recognized by its ETag before it has been rendered', async () => {
    const { entryUrl } = await published()
    const { etag } = (await get(apps[0], entryUrl)).headers
    const again = await get(apps[1], entryUrl, { 'if-none-match': String(etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers).toMatchObject({
      etag,
      'cache-control': 'no-cache, no-transform',
      vary: 'accept-encoding',
    })
    expect((await get(apps[1], entryUrl, { 'if-none-match': '*' })).statusCode).toBe(304)
    expect((await get(apps[1], `${entryUrl}0`, { 'if-none-match': '*' })).statusCode).toBe(404)
  })

  it('shows a change immediately on every process', async () => {
    const { at, params, projectUrl, entryUrl } = await published()
    const before = await onBoth(entryUrl)
    await t.call(
      'updateEntry',
      { params: at, body: { title: 'Planks', content: 'They *break*.' } },
      { as: owner },
    )
    for (const page of await onBoth(entryUrl, { 'if-none-match': String(before[0]?.headers.etag) })) {
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('<em>break</em>')
    }
    for (const page of await onBoth(projectUrl)) expect(page.body).toContain('Planks')
    const body = { title: 'A kayak', description: 'Skin on frame', isPublic: true }
    await t.call('updateProject', { params, body }, { as: owner })
    for (const page of await onBoth(entryUrl)) expect(page.body).toContain('A kayak')
  })

  it('is not served once its project is private or deleted, even with a matching ETag', async () => {
    const { params, projectUrl, entryUrl } = await published()
    const urls = [projectUrl, entryUrl]
    const seen = await Promise.all(urls.map((url) => get(apps[1], url)))
    const statuses = async () =>
      Promise.all(
        urls.flatMap((url, index) => {
          const headers = { 'if-none-match': String(seen[index]?.headers.etag) }
          return apps.map(async (app) => (await get(app, url, headers)).statusCode)
        }),
      )
    const publish = (isPublic: boolean) =>
      t.call('updateProject', { params, body: { title: 'x', description: 'y', isPublic } }, { as: owner })
    await publish(false)
    expect(new Set(await statuses())).toEqual(new Set([404]))
    await publish(true)
    expect(new Set(await statuses())).toEqual(new Set([200]))
    await t.call('deleteProject', { params }, { as: owner })
    expect(new Set(await statuses())).toEqual(new Set([404]))
  })

  it('contains the text of an entry once', async () => {
    const { entryUrl } = await published(`${'They bend. '.repeat(40)}**zebrano**`)
    expect((await get(apps[0], entryUrl)).body.match(/zebrano/g)).toHaveLength(1)
  })

  it('is the same for signed-in users', async () => {
    const { entryUrl } = await published()
    const [visitor, member] = [await get(apps[0], entryUrl), await get(apps[0], entryUrl, owner.headers)]
    expect(essence(member)).toEqual(essence(visitor))
  })
})

describe('the page cache', () => {
  const P = '0198c0de-0000-7000-8000-000000000001'
  const project = { title: 'A canoe', description: 'Strips', isPublic: true, progress: 0 }
  const page = {
    project: { _id: P, createdAt: '2026-03-01T12:00:00.000Z', user: { name: 'Ada' }, ...project },
    milestones: [],
    days: [],
    timeline: { total: 0, completed: 0, earlier: null, later: null, stops: [] },
    shown: null,
  }

  it('renders a page once for concurrent requests', async () => {
    let rendered = 0
    const readWorldPage = () => {
      rendered += 1
      return page
    }
    const { app } = await testPages({ readWorldPage })
    await Promise.all([1, 2, 3].map(() => get(app, `/world/${P}`)))
    await get(app, `/world/${P}?utm_source=elsewhere`)
    expect(rendered).toBe(1)
    await app.close()
  })

  it('returns 503 with an error page if the version of a project cannot be read', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const version = () => Promise.reject(away)
    const { app } = await testPages({ readWorldPage: () => page }, { version })
    const answer = await get(app, `/world/${P}`)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.body).toContain('One moment, please')
    await app.close()
  })

  it('does not cache a page that turns out to be missing', async () => {
    let there = false
    const readWorldPage = () => {
      if (!there) throw notFound('Project')
      return page
    }
    const { app } = await testPages({ readWorldPage })
    expect((await get(app, `/world/${P}`)).statusCode).toBe(404)
    there = true
    expect((await get(app, `/world/${P}`)).statusCode).toBe(200)
    await app.close()
  })
})

describe('whether a project is public', () => {
  /** Counts the queries for versions on a separate server. */
  async function counting() {
    let queries = 0
    const executeQuery: typeof t.deps.db.executeQuery = (query) => {
      if ('sql' in query && query.sql.includes('p.revision')) queries += 1
      return t.deps.db.executeQuery(query)
    }
    const app = await t.replica({ db: instead(t.deps.db, { executeQuery }) })
    return { app, queries: () => queries }
  }

  it('is read with one query for concurrent requests, and again for the next', async () => {
    const { projectUrl, entryUrl } = await published()
    const { app, queries } = await counting()
    for (const url of [projectUrl, entryUrl]) await get(app, url)
    expect(queries()).toBe(2)
    const urls = Array.from({ length: 20 }, (_, index) => (index % 2 ? projectUrl : entryUrl))
    const pages = await Promise.all(urls.map((url) => get(app, url)))
    expect(pages.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(queries()).toBe(3)
    await app.close()
  })

  it('is never cached, so that a page disappears with the next request', async () => {
    const { params, projectUrl } = await published()
    const body = { title: 'x', description: 'y' }
    for (const isPublic of [false, true, false, true, false]) {
      await t.call('updateProject', { params, body: { ...body, isPublic } }, { as: owner })
      const statuses = (await onBoth(projectUrl)).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual(isPublic ? [200, 200] : [404, 404])
    }
  })

  it('is read together with the name of its owner, whose change changes the page', async () => {
    const { projectUrl } = await published()
    const before = await get(apps[1], projectUrl)
    await t.deps.db.updateTable('users').set({ name: 'Ada' }).where('id', '=', owner.userId).execute()
    const after = await get(apps[1], projectUrl, { 'if-none-match': String(before.headers.etag) })
    await t.deps.db
      .updateTable('users')
      .set({ name: 'Grace Hopper' })
      .where('id', '=', owner.userId)
      .execute()
    expect(after.statusCode).toBe(200)
    expect(after.body).toContain('Ada')
  })
})
