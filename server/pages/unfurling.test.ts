import ogs from 'open-graph-scraper'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'

const MARKUP = '</title></script><script>alert("1")</script> & <b>'

let t: TestApp
let origin: string
let place: { project: string; milestone: string; entry: string }
beforeAll(async () => {
  t = await testApp({}, { pages: 'built', publicUrl: 'https://milepost.example' })
  origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const owner = await t.person({ name: `Grace ${MARKUP}`, email: 'grace@example.com' })
  const project = await t.project(owner, { title: `A canoe ${MARKUP}`, isPublic: true })
  const milestone = await t.milestone(owner, project._id, { title: 'Lumber', completed: true })
  const written = { title: 'First boards', content: 'They smell of **summer**.', tags: ['cedar', '"><i>'] }
  const entry = await t.entry(owner, milestone._id, written)
  place = { project: project._id, milestone: milestone._id, entry: entry._id }
})
afterAll(() => t.close())

/** Returns the link preview of a page. */
async function unfurl(path: string) {
  const { result } = await ogs({ url: origin + path, timeout: 120 })
  return result
}

const get = async (path: string) => (await t.app.inject({ url: path })).body

/** Returns the structured data (JSON-LD) of a page. */
async function linkedData(path: string): Promise<Record<string, unknown>[]> {
  const text = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(await get(path))?.[1] ?? ''
  return JSON.parse(text)['@graph']
}

describe('the link preview', () => {
  it.each([
    ['/', 'Track Your Journey, Celebrate Progress', 'https://milepost.example/'],
    ['/markdown-guide', 'Text Formatting Guide', 'https://milepost.example/markdown-guide'],
  ])('%s with the picture of the site', async (path, title, url) => {
    expect(await unfurl(path)).toMatchObject({
      ogTitle: title,
      ogUrl: url,
      ogType: 'website',
      ogSiteName: 'Milepost',
      ogDescription: expect.stringMatching(/\w{3}/),
      ogImage: [
        { url: 'https://milepost.example/share.png', width: '1200', height: '630', type: 'image/png' },
      ],
      twitterCard: 'summary_large_image',
    })
  })

  it('of a public project, whatever its title contains', async () => {
    const path = `/world/${place.project}`
    const { ogImage, ...shown } = await unfurl(path)
    expect(shown).toMatchObject({
      ogTitle: `A canoe ${MARKUP}`,
      ogUrl: `https://milepost.example${path}`,
      ogDescription: 'Strip by strip',
      ogType: 'website',
      twitterTitle: `A canoe ${MARKUP}`,
    })
    expect(ogImage?.[0]?.url).toMatch(`https://milepost.example${path}/share.png?v=`)
    expect(ogImage?.[0]?.alt).toContain('1 of 1 milestone completed')
  })

  it('of a public entry is an article', async () => {
    const path = `/world/${place.project}/entries/${place.entry}`
    expect(await unfurl(path)).toMatchObject({
      ogTitle: `First boards · A canoe ${MARKUP}`,
      ogDescription: 'They smell of summer.',
      ogType: 'article',
      ogUrl: `https://milepost.example${path}`,
      articlePublishedTime: expect.stringMatching(/^\d{4}-.*Z$/),
      articleModifiedTime: expect.stringMatching(/^\d{4}-.*Z$/),
      articleSection: 'Lumber',
    })
    const tags = [...(await get(path)).matchAll(/<meta property="article:tag" content="([^"]*)"/g)]
    expect(tags.map(([, tag]) => tag)).toEqual(['cedar', '&quot;&gt;&lt;i&gt;'])
  })

  it('the picture that a page references exists', async () => {
    for (const path of ['/', `/world/${place.project}`, `/world/${place.project}/entries/${place.entry}`]) {
      const picture = new URL((await unfurl(path)).ogImage?.[0]?.url ?? '')
      const answer = await t.app.inject({ url: picture.pathname + picture.search })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    }
  })

  it('another milestone of a project has its own URL', async () => {
    const canonical = async (path: string) =>
      /<link rel="canonical" href="([^"]+)"/.exec(await get(path))?.[1]
    const own = `/world/${place.project}`
    expect(await canonical(`${own}?milestone=${place.milestone}&utm_source=x`)).toBe(
      `https://milepost.example${own}`,
    )
  })
})

describe('the structured data of a page', () => {
  it('describes a project with its author and breadcrumbs', async () => {
    const [work, way] = await linkedData(`/world/${place.project}`)
    expect(work).toMatchObject({
      '@type': 'CreativeWork',
      name: `A canoe ${MARKUP}`,
      author: { '@type': 'Person', name: `Grace ${MARKUP}` },
    })
    expect(way).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [{ position: 1 }, { position: 2 }],
    })
  })

  it('describes an entry as a posting of its project', async () => {
    const [posting, way] = await linkedData(`/world/${place.project}/entries/${place.entry}`)
    expect(posting).toMatchObject({
      '@type': 'BlogPosting',
      headline: 'First boards',
      isPartOf: { '@id': `https://milepost.example/world/${place.project}` },
    })
    expect(way).toMatchObject({ itemListElement: [{}, {}, { name: 'First boards' }] })
  })

  it('describes the site on the landing page', async () => {
    expect(await linkedData('/')).toMatchObject([{ '@type': 'WebSite', url: 'https://milepost.example/' }])
  })

  it('never contains the email or the id of a person', async () => {
    for (const path of [`/world/${place.project}`, `/world/${place.project}/entries/${place.entry}`]) {
      expect(await get(path)).not.toContain('grace@example.com')
    }
  })
})

describe('pages that search engines must not index', () => {
  it.each(['/nope', '/world/0199f1f0-0000-7000-8000-000000000000', '/dashboard', '/collaborations'])(
    '%s stays out of search results',
    async (path) => {
      const page = await get(path)
      expect(page).toContain('<meta name="robots" content="noindex"')
      expect(page).not.toMatch(/rel="canonical"|property="og:/)
    },
  )

  it('public pages may be indexed', async () => {
    for (const path of ['/', '/markdown-guide', `/world/${place.project}`]) {
      expect(await get(path)).not.toContain('noindex')
    }
  })
})
