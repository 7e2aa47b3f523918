import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  owner = await t.person({ name: 'Ada Lovelace' })
})
afterAll(() => t.close())

async function journalOf(visibility: 'public' | 'unlisted') {
  const { _id: projectId } = await t.project(owner, { visibility })
  const writer = await t.member(projectId, 'editor')
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  await t.entry(owner, milestoneId, { title: 'Written first' })
  const happened = { happenedAt: '2024-03-01T11:30:00Z', happenedZone: 'Pacific/Auckland' }
  const entry = await t.entry(writer, milestoneId, { title: 'Long ago', ...happened })
  return {
    world: `/world/${projectId}`,
    projectId,
    writer,
    entry,
    ofEntry: `/world/${projectId}/entries/${entry._id}`,
  }
}

const get = (url: string) => t.app.inject({ url })

describe('an entry about another day, by another author', () => {
  it('has its own day and author on public pages', async () => {
    const { world, ofEntry } = await journalOf('public')
    const { body: project } = await get(world)
    expect(project).toMatch(
      /<time dateTime="2024-03-02" title="Saturday, March 2, 2024 \(Pacific\/Auckland\)">Mar 2, 2024/i,
    )
    expect(project).toContain('by <bdi>The editor</bdi>')
    expect(project.indexOf('>Long ago<')).toBeLessThan(project.indexOf('>Written first<'))
    const { body: entry } = await get(ofEntry)
    expect(entry).toMatch(/<time dateTime="2024-03-02"/i)
    expect(entry).toMatch(/By <bdi[^>]*>The editor<\/bdi>/)
  })

  it('has its author, the date of its publication and the day in its metadata', async () => {
    const { ofEntry, entry } = await journalOf('public')
    const { body } = await get(ofEntry)
    expect(body).toContain('<meta name="author" content="The editor"/>')
    expect(body).toContain(`<meta property="article:published_time" content="${entry.publishedAt}"/>`)
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? []
    const [posting] = JSON.parse(json)['@graph']
    expect(posting).toMatchObject({
      author: { name: 'The editor' },
      datePublished: entry.publishedAt,
      contentReferenceTime: '2024-03-01T11:30:00.000Z',
    })
  })

  it('is the newest in feeds, by when it was published, with its author and day', async () => {
    const { world, entry } = await journalOf('public')
    const [atom, rss, json] = await Promise.all(
      ['atom', 'rss', 'json'].map(async (format) => (await get(`${world}/feed.${format}`)).body),
    )
    const [first] = atom?.split('</entry>') ?? []
    expect(first).toContain(`<published>${entry.publishedAt}</published>`)
    expect(first).toContain('<name>The editor</name>')
    expect(first).toContain('2024-03-02</time>')
    expect(first).not.toContain('<dc:date>')
    const [item] = rss?.split('</item>') ?? []
    expect(item).toContain(`<pubDate>${new Date(entry.publishedAt ?? 0).toUTCString()}</pubDate>`)
    expect(item).toContain('<dc:creator>The editor</dc:creator>')
    expect(item).toContain('<time datetime="2024-03-02">2024-03-02</time>')
    expect(item).not.toContain('<dc:date>')
    expect(JSON.parse(json ?? '').items[0]).toMatchObject({
      title: 'Long ago',
      authors: [{ name: 'The editor' }],
      date_published: entry.publishedAt,
    })
  })

  it('has the new name of its author on the next request', async () => {
    const { world, ofEntry, writer } = await journalOf('public')
    const before = await get(ofEntry)
    await t.pool.query(`update users set name = 'Grace Hopper' where id = $1`, [writer.userId])
    const after = await get(ofEntry)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(after.body).toContain('Grace Hopper')
    expect((await get(world)).body).not.toContain('The editor')
  })
})

describe('the picture of an author', () => {
  it('is on the pages that name them from the next request on, until it is removed', async () => {
    const { world, ofEntry, writer } = await journalOf('public')
    await get(ofEntry)
    const image = { bytes: await picture(20, 20).png().toBuffer() }
    const url = '/api/account/picture'
    const response = await sendForm(t.app, { method: 'PUT', url, as: writer, fields: {}, image })
    const { photoURL } = response.json<{ photoURL: string }>()
    for (const path of [world, ofEntry]) expect((await get(path)).body).toContain(`src="${photoURL}"`)
    await t.call('removePicture', {}, { as: writer })
    for (const path of [world, ofEntry]) expect((await get(path)).body).not.toContain(photoURL)
  })
})

describe('search engines', () => {
  it('get noindex in page and header for an unlisted project, and not for a public one', async () => {
    const headersOf = async (visibility: 'public' | 'unlisted') => {
      const { world, ofEntry } = await journalOf(visibility)
      const answers = await Promise.all([world, ofEntry, `${world}/feed.atom`].map(get))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
      return answers.map(({ headers, body }) => [
        headers['x-robots-tag'],
        body.includes('<meta name="robots" content="noindex"/>'),
      ])
    }
    expect(await headersOf('unlisted')).toEqual([
      ['noindex', true],
      ['noindex', true],
      ['noindex', false],
    ])
    expect(await headersOf('public')).toEqual([
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ])
  })
})
