import { once } from 'node:events'
import FeedParser from 'feedparser'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movie } from '#server/files/inspection/testing-movies.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

const ORIGIN = 'https://milepost.example'
const TITLE = 'Boards & <b>glue</b> ]]> "quoted" &amp; \u0007\ufffe'
const SHOWN = TITLE.replace(/[\p{Cc}\ufffe]/gu, '').trim()
/** This reader strips markup from titles, even where it is text. */
const STRIPPED = SHOWN.replace(/<\/?b>/g, '')
const CONTENT = [
  'They smell of **summer**. \u0001 ]]>',
  '[to the other](/world/x?a=1&b=2) and [here](#end)',
  '![a board](/api/media/0199f1f0-0000-7000-8000-000000000000/full)',
  '<script>alert(1)</script>',
  '[bad](javascript:alert(1))',
].join('\n\n')

let t: TestApp
let project: string
let entry: string
let older: string
beforeAll(async () => {
  t = await testApp({}, { pages: 'built', publicUrl: ORIGIN })
  const owner = await t.person({ name: 'Grace <i>', email: 'grace@example.com' })
  project = (await t.project(owner, { title: TITLE, description: 'Strip & strip', isPublic: true }))._id
  const milestone = await t.milestone(owner, project, { title: 'Lumber' })
  older = (await t.entry(owner, milestone._id, { title: 'Older' }))._id
  const written = { title: TITLE, content: CONTENT, tags: ['a<b&"c'] }
  entry = (await t.entry(owner, milestone._id, written))._id
})
afterAll(() => t.close())

const get = (format: string, headers: Record<string, string> = {}) =>
  t.app.inject({ url: `/world/${project}/feed.${format}`, headers })

type Item = FeedParser.Item

async function parsed(xml: string): Promise<{ meta: FeedParser.Meta; items: Item[] }> {
  const parser = new FeedParser({})
  const items: Item[] = []
  parser.on('data', (item: Item) => items.push(item))
  parser.end(xml)
  await once(parser, 'end')
  return { meta: parser.meta, items }
}

/** Returns the text of an element as it is in the feed. */
const textOf = (parent: object | undefined, name: string): string =>
  (parent as { [name: string]: { '#': string } } | undefined)?.[name]?.['#'] ?? ''

/** Returns the URLs of links in HTML, all of which must be absolute. */
const addressesIn = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address)

function expectContent(html: string | null | undefined) {
  expect(html).toContain('<strong>summer</strong>')
  expect(html).not.toContain('<script')
  expect(addressesIn(html ?? '')).toEqual([
    `${ORIGIN}/world/x?a=1&amp;b=2`,
    `${ORIGIN}/world/${project}/entries/${entry}#end`,
    `${ORIGIN}/api/media/0199f1f0-0000-7000-8000-000000000000/full`,
  ])
}

describe('a public project can be followed', () => {
  it.each([
    ['atom', 'application/atom+xml; charset=utf-8'],
    ['rss', 'application/rss+xml; charset=utf-8'],
  ])('by %s, as one feed reader reads it', async (format, type) => {
    const answer = await get(format)
    expect(answer.headers['content-type']).toBe(type)
    const { meta, items } = await parsed(answer.body)
    expect(meta).toMatchObject({
      title: STRIPPED,
      link: `${ORIGIN}/world/${project}`,
      description: 'Strip & strip',
    })
    expect(meta.xmlurl ?? meta.xmlUrl).toBe(`${ORIGIN}/world/${project}/feed.${format}`)
    expect(items.map(({ title }) => title)).toEqual([STRIPPED, 'Older'])
    const [newest] = items
    expect(newest).toMatchObject({
      guid: `urn:uuid:${entry}`,
      link: `${ORIGIN}/world/${project}/entries/${entry}`,
      author: 'Grace <i>',
      categories: ['Lumber', 'a<b&"c'],
    })
    expect(newest?.pubdate).toBeInstanceOf(Date)
    expectContent(newest?.description)
    expect([textOf(meta, `${format}:title`), textOf(newest, `${format}:title`)]).toEqual([SHOWN, SHOWN])
  })

  it.each(['atom', 'rss'])('%s is well-formed XML', async (format) => {
    const { body } = await get(format)
    expect(() => new SaxesParser({ xmlns: true }).write(body).close()).not.toThrow()
  })

  it('by rss, whose excerpts no reader interprets as markup', async () => {
    const { items } = await parsed((await get('rss')).body)
    const description = textOf(items[0], 'rss:description')
    expect(description).toContain('They smell of summer.')
    expect(description).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(description).not.toContain('<')
  })

  it('by JSON Feed', async () => {
    const answer = await get('json')
    expect(answer.headers['content-type']).toBe('application/feed+json; charset=utf-8')
    const feed = answer.json()
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: SHOWN,
      home_page_url: `${ORIGIN}/world/${project}`,
      feed_url: `${ORIGIN}/world/${project}/feed.json`,
      authors: [{ name: 'Grace <i>' }],
      items: [{ id: `urn:uuid:${entry}`, title: SHOWN, tags: ['Lumber', 'a<b&"c'] }, { title: 'Older' }],
    })
    expectContent(feed.items[0].content_html)
  })

  it.each(['atom', 'rss'])('%s looks like a page when it is opened in a browser', async (format) => {
    const opened = await get(format, { 'sec-fetch-dest': 'document' })
    expect(opened.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      vary: 'accept-encoding, sec-fetch-dest',
      'content-security-policy': expect.stringContaining("style-src 'self'"),
    })
    const [, href = ''] = /<\?xml-stylesheet type="text\/css" href="([^"]+)"\?>/.exec(opened.body) ?? []
    const sheet = await t.app.inject(href)
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    const links: string[] = []
    const parser = new SaxesParser({ xmlns: true })
    parser.on('opentag', ({ uri, local, attributes }) => {
      const { href } = attributes as { href?: { value: string } }
      if (uri === 'http://www.w3.org/1999/xhtml' && local === 'a') links.push(href?.value ?? '')
    })
    parser.write(opened.body).close()
    const page = `${ORIGIN}/world/${project}`
    expect(links).toEqual([`${page}/follow`, page, `${page}/entries/${entry}`, `${page}/entries/${older}`])
    expect((await t.app.inject(`/world/${project}/follow`)).statusCode).toBe(200)
  })

  it('with a link in each film for readers that remove it', async () => {
    const owner = await t.person()
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    const { _id: milestoneId } = await t.milestone(owner, projectId)
    const film = await uploader(t).upload(owner, projectId, { name: 'first flight.mp4', bytes: movie() })
    await t.entry(owner, milestoneId, { content: `![The flight](/files/${film._id})` })
    const { items } = (await t.app.inject(`/world/${projectId}/feed.json`)).json()
    expect(items[0].content_html).toMatch(
      /<video [^>]*><a href="https:\/\/milepost\.example\/api\/media\/[^"]+">The flight<\/a><\/video>/,
    )
  })

  it.each(['atom', 'rss', 'json'])('an unchanged %s is not sent again', async (format) => {
    const { headers } = await get(format)
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, no-transform',
      'access-control-allow-origin': '*',
    })
    const again = await get(format, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await t.app.inject({ method: 'HEAD', url: `/world/${project}/feed.${format}` })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', headers.etag])
  })

  it.each(['atom', 'rss', 'json'])(
    'an unchanged %s is not sent again to readers that know no ETag',
    async (format) => {
      const first = () => get(format)
      await expect.poll(async () => (await first()).headers['last-modified']).toBeDefined()
      const { headers } = await first()
      const modified = String(headers['last-modified'])
      const again = await get(format, { 'if-modified-since': modified })
      expect([again.statusCode, again.headers['last-modified']]).toEqual([304, modified])
      // The time of a clock of their own says nothing, and an ETag says more.
      const later = new Date(Date.parse(modified) + 60_000).toUTCString()
      const others: Record<string, string>[] = [
        { 'if-modified-since': later },
        { 'if-modified-since': modified, 'if-none-match': '"x"' },
      ]
      for (const other of others) expect((await get(format, other)).statusCode).toBe(200)
    },
  )

  it.each(['atom', 'rss'])(
    '%s has the date of the last change, even if that was a deletion',
    async (format) => {
      const owner = await t.person()
      const { _id: projectId } = await t.project(owner, { isPublic: true })
      const { _id: milestoneId } = await t.milestone(owner, projectId)
      const { _id: entryId } = await t.entry(owner, milestoneId)
      await t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: owner })
      const { changedAt } = await t.call('listWorldEntries', { params: { projectId } })
      const { body } = await t.app.inject({ url: `/world/${projectId}/feed.${format}` })
      const [, date = ''] = /<(?:updated|lastBuildDate)>([^<]+)</.exec(body) ?? []
      const grain = format === 'rss' ? 1_000 : 1
      expect(Date.parse(date)).toBe(Math.floor(Date.parse(changedAt) / grain) * grain)
    },
  )

  it('even before anything is written', async () => {
    const { _id } = await t.project(await t.person(), { title: 'Only just begun', isPublic: true })
    const feed = async (format: string) => (await t.app.inject({ url: `/world/${_id}/feed.${format}` })).body
    expect(JSON.parse(await feed('json'))).toMatchObject({ title: 'Only just begun', items: [] })
    for (const format of ['atom', 'rss'])
      expect(await parsed(await feed(format))).toMatchObject({
        meta: { title: 'Only just begun' },
        items: [],
      })
  })

  it('and its pages link to the feeds', async () => {
    for (const path of [`/world/${project}`, `/world/${project}/entries/${entry}`]) {
      const { body } = await t.app.inject({ url: path })
      const links = [...body.matchAll(/<link rel="alternate" type="([^"]+)"[^>]* href="([^"]+)"/g)]
      expect(links.map(([, type, href]) => [type, href])).toEqual([
        ['application/atom+xml', `${ORIGIN}/world/${project}/feed.atom`],
        ['application/rss+xml', `${ORIGIN}/world/${project}/feed.rss`],
        ['application/feed+json', `${ORIGIN}/world/${project}/feed.json`],
      ])
    }
  })

  it('and no feed contains the email or the id of a person', async () => {
    for (const format of ['atom', 'rss', 'json'])
      expect((await get(format)).body).not.toContain('grace@example')
  })

  it.each(['atom', 'rss', 'json'])('there is no %s of private resources', async (format) => {
    for (const id of ['0199f1f0-0000-7000-8000-000000000000', 'no-id']) {
      const { statusCode, headers } = await t.app.inject({ url: `/world/${id}/feed.${format}` })
      expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store'])
    }
  })
})
