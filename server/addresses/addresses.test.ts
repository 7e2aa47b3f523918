import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SLUGS_MAX } from '#contract/addresses.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  owner = await t.person()
})
afterAll(() => t.close())

let count = 0
const unused = () => `canoe-${++count}`

async function project(visibility: 'public' | 'private' | 'unlisted' = 'public') {
  const { _id: projectId } = await t.project(owner, { title: 'A canoe', visibility })
  const give = (slug: string | null) =>
    t.call('changeAddress', { params: { projectId }, body: { slug } }, { as: owner })
  return { projectId, give }
}

async function target(url: string) {
  const { statusCode, headers } = await t.app.inject({ url })
  return statusCode === 302 ? headers.location : statusCode
}

describe('a readable address', () => {
  it('leads to the page of its project and to all below it, in any case, and so do the former ones', async () => {
    const { projectId, give } = await project('unlisted')
    const [first, second] = [unused(), unused()]
    await give(first)
    expect(await give(second)).toEqual({ slug: second, former: [first] })
    for (const slug of [first, second, first.toUpperCase()]) {
      expect(await target(`/world/${slug}`)).toBe(`/world/${projectId}`)
      expect(await target(`/world/${slug}/story?page=2`)).toBe(`/world/${projectId}/story?page=2`)
      expect(await target(`/world/${slug}/feed.atom`)).toBe(`/world/${projectId}/feed.atom`)
    }
    expect(await give(first)).toEqual({ slug: first, former: [second] })
    expect(await give(null)).toEqual({ slug: null, former: [second, first] })
    expect(await target(`/world/${first}`)).toBe(`/world/${projectId}`)
    expect(await target(`/world/${projectId}`)).toBe(200)
  })

  it('of a private project cannot be told from one that nobody has', async () => {
    const { projectId, give } = await project('private')
    const slug = unused()
    await give(slug)
    const read = async (url: string) => {
      const { statusCode, headers, body } = await t.app.inject({ url })
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return { statusCode, rest, body }
    }
    expect(await read(`/world/${slug}`)).toEqual(await read('/world/nobody-has-this'))
    await t.call('updateProject', { params: { projectId }, body: { visibility: 'public' } }, { as: owner })
    expect(await target(`/world/${slug}`)).toBe(`/world/${projectId}`)
    await t.call('deleteProject', { params: { projectId } }, { as: owner })
    expect(await target(`/world/${slug}`)).toBe(404)
  })

  it('belongs to its project for ever, also once it is not the current one', async () => {
    const [one, other] = [await project('private'), await project()]
    const slug = unused()
    await one.give(slug)
    await expect(other.give(slug.toUpperCase())).rejects.toThrow('This address is taken')
    await one.give(null)
    await expect(other.give(slug)).rejects.toThrow('This address is taken')
    expect(await other.give(null)).toEqual({ slug: null, former: [] })
  })

  it('is given to one of several projects that ask at the same time', async () => {
    const projects = await Promise.all([project(), project(), project()])
    const slug = unused()
    const results = await Promise.allSettled(projects.map(({ give }) => give(slug)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it.each([
    'ab',
    'a'.repeat(61),
    'a--b',
    '-a-b',
    'a b c',
    'a/../b',
    'ca%6Eoe',
    'cаnoe', // with a Cyrillic letter
    'story',
    'Admin',
    '0199f1f0-0000-7000-8000-000000000000',
    '../login',
    'javascript:x',
  ])('is refused as %j', async (slug) => {
    const { give } = await project()
    await expect(give(slug)).rejects.toThrow('answered 400')
  })

  it('is one of at most twenty of a project', { tags: ['long'] }, async () => {
    const { give } = await project()
    const first = unused()
    await give(first)
    for (let made = 1; made < SLUGS_MAX; made += 1) await give(unused())
    await expect(give(unused())).rejects.toThrow('at most 20 addresses')
    expect((await give(first)).slug).toBe(first)
  })
})
