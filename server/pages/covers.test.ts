import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

const ORIGIN = 'https://milepost.example'

let t: TestApp
let owner: Person
/** A project with covers that no test changes. */
let kept: Awaited<ReturnType<typeof covered>>
beforeAll(async () => {
  t = await testApp({}, { pages: 'built', publicUrl: ORIGIN })
  owner = await t.person({ name: 'Grace Hopper' })
  kept = await covered()
})
afterAll(() => t.close())

const get = (url: string) => t.app.inject({ url: url.replace(ORIGIN, '') })
const bodyOf = async (url: string) => (await get(url)).body

const photo = () => picture(1_600, 120).jpeg().toBuffer()

/** A public project with a cover, and an entry with a different one. */
async function covered() {
  const { upload } = uploader(t)
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, projectId)
  const [ofProject, ofEntry] = [
    await upload(owner, projectId, { bytes: await photo() }),
    await upload(owner, projectId, { bytes: await photo() }),
  ]
  const change = (body: Record<string, unknown>) =>
    t.call('updateProject', { params: { projectId }, body }, { as: owner })
  const { imageURL = '', image } = await change({ coverFile: ofProject._id })
  const fields = { title: 'Boards', content: 'They smell.', tags: ['wood'], coverFile: ofEntry._id }
  const params = { milestoneId: milestone._id }
  const entry = await t.call('createEntry', { params, body: fields }, { as: owner })
  return {
    change,
    page: `/world/${projectId}`,
    entryPage: `/world/${projectId}/entries/${entry._id}`,
    project: { url: imageURL, small: image?.smallURL ?? '' },
    entry: { url: entry.imageURL ?? '', small: entry.image?.smallURL ?? '' },
  }
}

/** Returns the pictures that a page declares for link previews and search engines. */
async function sharedBy(page: string) {
  const html = await bodyOf(page)
  const [, shared = ''] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? []
  const [, type] = /<meta property="og:image:type" content="([^"]*)"/.exec(html) ?? []
  const [, linked = ''] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  const { image } = JSON.parse(linked)['@graph'][0] as { image: string | string[] }
  return { url: shared.replaceAll('&amp;', '&'), type, image }
}

describe('covers', () => {
  it('are not shown with the entries of a tag, which precede the milestones', async () => {
    const { page, project, entry } = kept
    const html = await bodyOf(`${page}?tag=wood`)
    expect(html).toContain(`<img src="${entry.small}"`)
    expect(html).not.toContain(`<img src="${project.small}"`)
    const [shown, trail] = ['id="shown-title"', 'id="milestones"'].map((part) => html.indexOf(part))
    expect(shown).toBeGreaterThan(0)
    expect(shown).toBeLessThan(trail ?? 0)
  })

  it('are fetched after the style sheet, which blocks rendering', async () => {
    const { page } = kept
    const html = await bodyOf(page)
    const sheet = html.indexOf('<link rel="stylesheet"')
    expect(html.slice(0, sheet)).toMatch(/<head>(?:<(?:meta|link rel="(?:apple-touch-)?icon") [^>]*>)*$/)
    expect(html.indexOf('<link rel="preload" as="image"')).toBeGreaterThan(sheet)
  })

  it('are on the page of the project, each with reserved space', async () => {
    const { page, project, entry } = kept
    const images = [...(await bodyOf(page)).matchAll(/<img [^>]*>/g)].map(([image]) => image)
    expect(images).toEqual([
      expect.stringContaining(`src="${project.small}"`),
      expect.stringContaining(`src="${entry.small}"`),
    ])
    expect(images[0]).toMatch(
      new RegExp(`srcSet="[^"]*/480 480w, ${project.small} 960w, ${project.url} 1600w"`, 'i'),
    )
    expect(images[0]).toContain('h-40 w-full')
    expect(images[1]).toContain('aspect-video w-full')
  })

  it('are in share pictures, and change their URLs', { tags: ['long'] }, async () => {
    const { page, entryPage, project, entry, change } = await covered()
    for (const [shown, cover] of [
      [page, project],
      [entryPage, entry],
    ] as const) {
      const { url, type, image } = await sharedBy(shown)
      expect(image).toEqual([`${ORIGIN}${cover.url}`, url])
      expect(type).toBe('image/jpeg')
      const response = await get(url)
      expect(response.headers['content-type']).toBe('image/jpeg')
      const { format, width, height } = await sharp(response.rawPayload).metadata()
      expect([format, width, height]).toEqual(['jpeg', 1_200, 630])
      expect(response.rawPayload.byteLength).toBeLessThan(300_000)
    }
    await change({ coverFile: null })
    expect(await sharedBy(page)).toMatchObject({
      type: 'image/png',
      image: expect.stringContaining('/share.png?v='),
    })
  })

  it('are enclosed in the feeds', async () => {
    const { page, entry } = kept
    const url = `${ORIGIN}${entry.url}`
    expect(JSON.parse(await bodyOf(`${page}/feed.json`)).items).toMatchObject([{ image: url }])
    const length = (await get(entry.url)).rawPayload.byteLength
    expect(await bodyOf(`${page}/feed.atom`)).toContain(
      `<link href="${url}" rel="enclosure" type="image/webp" length="${length}"/>`,
    )
    expect(await bodyOf(`${page}/feed.rss`)).toContain(
      `<enclosure url="${url}" length="${length}" type="image/webp"/>`,
    )
  })

  it('disappear everywhere as soon as the project is no longer public', async () => {
    const { page, entryPage, project, entry, change } = await covered()
    const shared = [(await sharedBy(page)).url, (await sharedBy(entryPage)).url]
    const all = [project.url, project.small, entry.url, entry.small, ...shared]
    for (const url of all) expect([url, (await get(url)).statusCode]).toEqual([url, 200])
    await change({ isPublic: false })
    for (const url of all) expect([url, (await get(url)).statusCode]).toEqual([url, 404])
  })

  it('that arrive after they were chosen appear once their bytes have arrived', {
    tags: ['long'],
  }, async () => {
    const { page, change } = await covered()
    const { reserve, put } = uploader(t)
    const bytes = await photo()
    const [file] = await reserve(owner, page.replace('/world/', ''), [
      { name: 'late.jpg', type: 'image/jpeg', size: bytes.length },
    ])
    const { _id: coverFile = '' } = file ?? {}
    await change({ coverFile })
    expect(await bodyOf(page)).not.toContain(coverFile)
    await put(owner, coverFile, bytes)
    expect(await bodyOf(page)).toContain(`/api/media/${coverFile}/960`)
  })
})
