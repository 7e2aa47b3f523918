import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORY_ENTRIES_PER_PAGE } from '#contract/story.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
})
afterAll(() => t.close())

const CONTENT = '# Glue\n\nIt sets[^1]. See [glue](#glue).\n\n## Tools\n\nA clamp[^1].\n\n[^1]: In an hour.'

async function published(count: number, visibility: 'public' | 'unlisted' = 'public') {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { title: 'A canoe', visibility })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const entries: string[] = []
  for (let day = 0; day < count; day += 1)
    entries.push((await t.entry(owner, milestoneId, { title: `Day ${day}`, content: CONTENT }))._id)
  return { path: `/world/${projectId}/story`, projectId, entries }
}

const get = (url: string, headers = {}) => t.app.inject({ url, headers })
const linksIn = (html: string, rel: string) =>
  Array.from(html.matchAll(/<link rel="([^"]+)" href="([^"]+)"/g)).flatMap(([, is, href]) =>
    is === rel ? [new URL(href ?? '').pathname + new URL(href ?? '').search] : [],
  )

describe('the page of a story', () => {
  it('has no id twice, links that lead within it, and headings in order', async () => {
    const { path } = await published(3)
    const { body } = await get(path)
    const ids = Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    expect(ids.length).toBeGreaterThan(15)
    expect(new Set(ids).size).toBe(ids.length)
    const main = body.slice(body.indexOf('<main'))
    const targets = Array.from(main.matchAll(/ href="#([^"]+)"/g), ([, id]) => id)
    expect(targets.length).toBeGreaterThan(12)
    for (const target of targets) expect(ids).toContain(target)
    const levels = Array.from(main.matchAll(/<h([1-6])[ >]/g), ([, level]) => Number(level))
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1)
  })

  it('names its own URL, the part before and the part after, and is not sent again', async () => {
    const { path } = await published(STORY_ENTRIES_PER_PAGE + 1)
    const [one, two] = [await get(path), await get(`${path}?page=2`)]
    expect([linksIn(one.body, 'canonical'), linksIn(one.body, 'prev'), linksIn(one.body, 'next')]).toEqual([
      [path],
      [],
      [`${path}?page=2`],
    ])
    expect([linksIn(two.body, 'canonical'), linksIn(two.body, 'prev'), linksIn(two.body, 'next')]).toEqual([
      [`${path}?page=2`],
      [path],
      [],
    ])
    expect((await get(path, { 'if-none-match': one.headers.etag })).statusCode).toBe(304)
    expect((await get(`${path}?page=3`)).statusCode).toBe(404)
    expect((await get(`${path}?page=1`)).headers.location).toBe(path)
  })

  it('leads from an entry to the part with it, wherever that is now', async () => {
    const { path, entries } = await published(STORY_ENTRIES_PER_PAGE + 1)
    const to = async (entry = '') => {
      const { statusCode, headers } = await get(`${path}?entry=${entry}`)
      return [statusCode, headers.location, headers['cache-control']]
    }
    expect(await to(entries[0])).toEqual([302, `${path}#entry-${entries[0]}`, 'no-store'])
    expect(await to(entries.at(-1))).toEqual([302, `${path}?page=2#entry-${entries.at(-1)}`, 'no-store'])
  })

  it('is printed from one document, which search engines do not list', async () => {
    const { path, projectId } = await published(STORY_ENTRIES_PER_PAGE + 1)
    const { body, headers } = await get(`${path}/print`)
    expect(body.match(/<article/g)).toHaveLength(STORY_ENTRIES_PER_PAGE + 1)
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(body).toContain('<meta name="robots" content="noindex"/>')
    expect(linksIn(body, 'canonical')).toEqual([`/world/${projectId}`])
  })

  it('is not listed for an unlisted project', async () => {
    const { path } = await published(1, 'unlisted')
    expect((await get(path)).headers['x-robots-tag']).toBe('noindex')
  })
})
