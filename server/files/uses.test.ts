import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, it } from 'vitest'
import type { Person } from '#server/testing/builders.ts'
import { movie } from './inspection/testing-movies.ts'
import { picture } from './testing.ts'
import { fileFixture, shown, sourceIn } from './testing-uploads.ts'

const { t, owner, files, jpeg, photograph, newMilestone, read, statusOf, usesOf } = await fileFixture()
afterAll(() => t.close())

describe('a picture in a text', () => {
  it('is shown in all its widths, with reserved space, its caption and a placeholder', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, {
      bytes: await picture(1_200, 800).jpeg().toBuffer(),
    })
    const { html } = await t.entry(owner, milestoneId, { content: shown(file) })
    expect(html).toMatch(
      /srcset="\/api\/media\/[^"]+ 480w, \/api\/media\/[^"]+ 960w, \/api\/media\/[^"]+ 1200w" sizes="\(min-width: 44rem\) 42rem, 100vw"/,
    )
    expect(html).toContain('width="1152" height="768" alt="The boards" fetchpriority="high" decoding="async"')
    expect(html).toContain('<span class="media-caption">In June</span>')
    expect(html).toMatch(
      /<img class="media-blur" src="data:image\/webp;base64,[^"]{50,480}" alt="" aria-hidden="true">/,
    )
    expect(html).not.toMatch(/style=|title=/)
    expect(await statusOf(sourceIn(html))).toBe(200)
    expect(await statusOf(sourceIn(html)?.split('?', 1)[0])).toBe(404)
  })

  it('is loaded eagerly if a reader sees it first, and otherwise lazily', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const ordersIn = async (content: string) =>
      (await t.entry(owner, milestoneId, { content })).html.match(/fetchpriority="high"|loading="lazy"/g)
    expect(await ordersIn(`${shown(file)}\n\n${shown(file)}`)).toEqual([
      'fetchpriority="high"',
      'loading="lazy"',
    ])
    expect(await ordersIn(`${'A long day. '.repeat(60)}\n\n${shown(file)}`)).toEqual(['loading="lazy"'])
  })

  it('is loaded lazily below a cover, unless it is the cover itself', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const [file, cover] = [
      await files.upload(owner, projectId, { bytes: jpeg }),
      await files.upload(owner, projectId, { bytes: jpeg }),
    ]
    const saved = (coverFile: string) => t.entry(owner, milestoneId, { content: shown(file), coverFile })
    const below = await saved(cover._id)
    expect(below.html).toContain('loading="lazy"')
    expect((await read(milestoneId, below._id, owner)).html).toBe(below.html)
    expect((await saved(file._id)).html).toContain('fetchpriority="high"')
  })

  it('stays when the draft with the id of its entry ends', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const id = uuidv7()
    const text = { title: 'Ribs', content: shown(file) }
    await t.call(
      'saveDraft',
      { params: { draftId: id }, body: { ...text, milestone: milestoneId } },
      { as: owner },
    )
    const body = { _id: id, ...text, draft: id }
    const entry = await t.call('createEntry', { params: { milestoneId }, body }, { as: owner })
    expect(entry.html).toContain('media-blur')
    expect((await read(milestoneId, id, owner)).html).toBe(entry.html)
  })

  it('may be saved before its bytes arrive, and is shown as soon as they have', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const [file] = await files.reserve(owner, projectId, [
      { name: 'a.jpg', type: 'image/jpeg', size: jpeg.length },
    ])
    if (!file) throw new Error('no file')
    const entry = await t.entry(owner, milestoneId, { content: shown(file) })
    expect(entry.html).toContain(
      `<span class="media media-waiting" data-file="${file._id}">The boards</span>`,
    )
    const revision = async () =>
      (await t.pool.query('select revision from projects where id = $1', [projectId])).rows[0].revision
    const before = await revision()
    await files.put(owner, file._id, jpeg)
    expect(await revision()).toBeGreaterThan(before)
    const { html } = await read(milestoneId, entry._id)
    expect(sourceIn(html)).toBe(`/api/media/${file._id}/widest`)
  })

  it('can be read by everybody while its project is public, and not by visitors afterwards', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const file = await files.upload(owner, projectId, { bytes: photograph })
    const { _id: entryId } = await t.entry(owner, milestoneId, { content: shown(file) })
    const { html } = await read(milestoneId, entryId)
    const addresses = [
      ...Array.from(html.matchAll(/\/api\/media\/[^" ]+/g), ([url]) => url),
      `/api/media/${file._id}/original`,
    ]
    expect(addresses.length).toBeGreaterThan(4)
    for (const url of addresses) expect(await statusOf(url)).toBe(200)
    const redirect = await t.app.inject(file.url)
    expect([redirect.statusCode, redirect.headers.location]).toEqual([302, `/api/media/${file._id}/widest`])
    const publish = (isPublic: boolean) =>
      t.call('updateProject', { params: { projectId }, body: { isPublic } }, { as: owner })
    await publish(false)
    for (const url of [...addresses, file.url]) expect(await statusOf(url)).toBe(404)
    await publish(true)
    for (const url of addresses) expect(await statusOf(url)).toBe(200)
  })

  it('of a draft is visible only to its author', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const editor = await t.member(projectId, 'editor')
    const { html, _id: entryId } = await t.entry(owner, milestoneId, { content: shown(file), state: 'draft' })
    expect(await statusOf(sourceIn(html))).toBe(200)
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
    const listed = (as?: Person) =>
      t.call('listFiles', { params: { projectId }, query: { ids: file._id } }, { as })
    expect([await listed(editor), await listed()]).toEqual([[], []])
    const theirs = await t.entry(editor, milestoneId, { content: shown(file) })
    expect(theirs.html).toContain('<span class="file-missing">The boards</span>')
    const params = { milestoneId, entryId }
    await t.call('updateEntry', { params, body: { state: 'published' } }, { as: owner })
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    expect(await listed()).toMatchObject([{ _id: file._id }])
  })
})

it('feeds contain plain pictures with public URLs, and adjacent pictures are a gallery', async () => {
  const { projectId, milestoneId } = await newMilestone({ isPublic: true })
  const file = await files.upload(owner, projectId, { bytes: photograph })
  const video = await files.upload(owner, projectId, { name: 'boat.mp4', bytes: movie() })
  const notes = await files.upload(owner, projectId, { name: 'a "b".pdf', bytes: Buffer.from('%PDF-1.7') })
  const { html } = await t.entry(owner, milestoneId, {
    content: `![a](${file.url})\n![b](${file.url})\n\n![](${video.url}) [The notes](${notes.url})`,
  })
  expect(html).toContain('<p class="gallery"><span class="media media-image">')
  expect(html).toContain(
    `<video controls preload="metadata" playsinline src="/api/media/${video._id}/original" width="640" height="360" aria-label="boat.mp4"></video>`,
  )
  expect(html).toContain(
    `<a class="file" href="/api/media/${notes._id}/original" download="a &quot;b&quot;.pdf">The notes</a>`,
  )
  const { entries } = await t.call('listWorldEntries', { params: { projectId } })
  expect(entries[0]?.html).toContain(
    `<img src="/api/media/${file._id}/widest" width="1200" height="80" alt="a"/>`,
  )
  expect(entries[0]?.html).not.toMatch(/srcset|data:image/)
})

describe('a reference to a file of another person', () => {
  it('neither shows the file nor prevents its removal', async () => {
    const { projectId } = await newMilestone()
    const secret = await files.upload(owner, projectId, { bytes: jpeg })
    const stranger = await t.person()
    const theirs = await newMilestone({ as: stranger, isPublic: true })
    const unknown = '0199f1f0-0000-7000-8000-000000000000'
    const write = (id: string) =>
      t.entry(stranger, theirs.milestoneId, { content: `![x](/files/${id}) and [y](/files/${id})` })
    const [known, nothing] = [await write(secret._id), await write(unknown)]
    expect(known.html).toBe(nothing.html)
    expect(known.html).not.toContain(secret._id)
    expect(await usesOf(secret)).toEqual([])
    expect(await statusOf(`/api/media/${secret._id}/widest`)).toBe(404)
    expect(await statusOf(`/files/${secret._id}`)).toBe(404)
    const cover = {
      params: { milestoneId: theirs.milestoneId },
      body: { title: 'x', content: 'y', coverFile: secret._id },
    }
    expect(await t.refused('createEntry', cover, { as: stranger })).toMatchObject({
      status: 400,
      issues: [{ path: 'coverFile' }],
    })
    const listed = { params: { projectId: theirs.projectId }, query: { ids: secret._id } }
    expect(await t.call('listFiles', listed, { as: stranger })).toEqual([])
  })

  it('in another project does not show it either, even if both projects have the same owner', async () => {
    const [hidden, open] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const file = await files.upload(owner, hidden.projectId, { bytes: jpeg })
    await t.entry(owner, hidden.milestoneId, { content: shown(file) })
    const { html } = await t.entry(owner, open.milestoneId, { content: shown(file) })
    expect(html).toContain('file-missing')
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
  })
})

it.each([
  ['more files than an entry may have', (n: number) => n],
  ['one file more often than an entry may show files', () => 0],
])('%s are refused with the number', async (_what, idOf) => {
  const { milestoneId } = await newMilestone()
  const content = Array.from(
    { length: 101 },
    (_, n) => `![](/files/0199f1f0-0000-7000-8000-${String(idOf(n)).padStart(12, '0')})`,
  )
  const body = { title: 'x', content: content.join('\n') }
  expect(await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })).toMatchObject({
    status: 413,
    message: 'An entry may have at most 100 files; this text refers to 101',
  })
})
