import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { untrue } from '#server/database/testing-contents.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { purged } from '#server/trash/testing.ts'
import { movie } from './inspection/testing-movies.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'
import { uploader } from './testing-uploads.ts'

let t: TestApp
let owner: Person
let jpeg: Buffer
let files: ReturnType<typeof uploader>
beforeAll(async () => {
  t = await testApp()
  files = uploader(t)
  owner = await t.person()
  jpeg = await picture(1_200, 800).jpeg().toBuffer()
})
afterAll(() => t.close())

async function newMilestone({ isPublic = false, as = owner } = {}) {
  const { _id: projectId } = await t.project(as, { isPublic })
  const { _id: milestoneId } = await t.milestone(as, projectId)
  return { projectId, milestoneId }
}

const shown = (file: ProjectFile) => `Look:\n\n![The boards](${file.url} "In June")`
const statusOf = async (url = '') => (await t.app.inject(url.replaceAll('&amp;', '&'))).statusCode
const sourceIn = (html: string) => /<img src="(\/api\/media[^"]+)"/.exec(html)?.[1]
const usesOf = async (file: ProjectFile) => {
  const { rows } = await t.pool.query('select entry_id from file_uses where file_id = $1', [file._id])
  return rows.map(({ entry_id }) => entry_id)
}
const read = (milestoneId: string, entryId: string, as?: Person) =>
  t.call('readEntry', { params: { milestoneId, entryId } }, { as })

describe('a picture in a text', () => {
  it('is shown in all its widths, in a frame of its size, with its caption and a stand-in', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: jpeg })
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

  it('is fetched first where a reader sees it first, and any other once it is about to be seen', async () => {
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

  it('waits for the cover above it, unless it is the cover itself', async () => {
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

  it('may be saved before its bytes are here, and is there as soon as they are', async () => {
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

  it('can be read by everybody while its project is public, and by no visitor once it is not', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const file = await files.upload(owner, projectId, { bytes: jpeg })
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

it('readers of feeds get plain pictures at public addresses, and pictures beside each other are a gallery', async () => {
  const { projectId, milestoneId } = await newMilestone({ isPublic: true })
  const file = await files.upload(owner, projectId, { bytes: jpeg })
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
    `<img src="/api/media/${file._id}/widest" width="1200" height="800" alt="a"/>`,
  )
  expect(entries[0]?.html).not.toMatch(/srcset|data:image/)
})

describe('a reference to a file of somebody else', () => {
  it('neither shows the file nor keeps it from removal', async () => {
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

  it('in another project of one’s own shows it no more than any other', async () => {
    const [hidden, open] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const file = await files.upload(owner, hidden.projectId, { bytes: jpeg })
    await t.entry(owner, hidden.milestoneId, { content: shown(file) })
    const { html } = await t.entry(owner, open.milestoneId, { content: shown(file) })
    expect(html).toContain('file-missing')
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
  })
})

describe('a file that was uploaded before its text got another project', () => {
  const projectOf = async (file: ProjectFile) =>
    (await t.pool.query('select project_id from files where id = $1', [file._id])).rows[0].project_id

  it('belongs to the project of the text that is written', async () => {
    const [first, chosen] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const file = await files.upload(owner, first.projectId, { bytes: jpeg })
    const listed = { params: { projectId: chosen.projectId }, query: { ids: file._id } }
    expect(await t.call('listFiles', listed, { as: owner })).toMatchObject([{ _id: file._id }])
    const { html } = await t.entry(owner, chosen.milestoneId, { content: shown(file) })
    expect(await statusOf(sourceIn(html))).toBe(200)
    expect(await projectOf(file)).toBe(chosen.projectId)
    expect(await untrue(t.config)).toEqual([])
  })

  it('is deleted with the first project', async () => {
    const [first, chosen] = [await newMilestone(), await newMilestone()]
    const file = await files.upload(owner, first.projectId, { bytes: jpeg })
    await purged(t, owner, { projectId: first.projectId })
    const { html } = await t.entry(owner, chosen.milestoneId, { content: shown(file) })
    expect(html).toContain('file-missing')
    expect(await usesOf(file)).toEqual([])
  })

  it.each([
    ['that project', 'select from projects where id = $1 for update'],
    [
      'its owner’s projects',
      'select from storage_usage where user_id = (select owner_id from projects where id = $1) for update',
    ],
  ])('is shown without waiting for a transaction that changes %s', async (_what, lock) => {
    const first = await newMilestone()
    const writer = await t.member(first.projectId, 'editor')
    const chosen = await newMilestone({ as: writer })
    const file = await files.upload(writer, first.projectId, { bytes: jpeg })
    const client = await t.pool.connect()
    try {
      await client.query('begin')
      await client.query(lock, [first.projectId])
      const { html } = await t.entry(writer, chosen.milestoneId, { content: shown(file) })
      expect(await statusOf(sourceIn(html))).toBe(200)
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect(await projectOf(file)).toBe(first.projectId)
    expect(await untrue(t.config)).toEqual([])
  })

  it('moves with an entry that is changed and moved in one update, also when its bytes arrive last', async () => {
    const [from, to] = [await newMilestone(), await newMilestone()]
    const entry = await t.entry(owner, from.milestoneId)
    const [waiting] = await files.reserve(owner, from.projectId, [{ name: 'a.jpg', size: jpeg.length }])
    if (!waiting) throw new Error('no file')
    const params = { milestoneId: from.milestoneId, entryId: entry._id }
    const body = { milestone: to.milestoneId, content: shown(waiting) }
    const { html } = await t.call('updateEntry', { params, body }, { as: owner })
    expect(html).toContain(`data-file="${waiting._id}"`)
    expect((await files.put(owner, waiting._id, jpeg)).statusCode).toBe(200)
    expect(await projectOf(waiting)).toBe(to.projectId)
    expect(await untrue(t.config)).toEqual([])
  })

  it('is stored with the project that the entry was moved to while its bytes were arriving', async () => {
    const [from, to] = [await newMilestone(), await newMilestone()]
    const [file] = await files.reserve(owner, from.projectId, [{ name: 'a.jpg', size: jpeg.length }])
    if (!file) throw new Error('no file')
    const entry = await t.entry(owner, from.milestoneId, { content: shown(file) })
    const putFile = t.deps.files.putFile.bind(t.deps.files)
    const moving = vi.spyOn(t.deps.files, 'putFile').mockImplementationOnce(async (...sent) => {
      const params = { milestoneId: from.milestoneId, entryId: entry._id }
      await t.call('updateEntry', { params, body: { milestone: to.milestoneId } }, { as: owner })
      await purged(t, owner, { projectId: from.projectId })
      return putFile(...sent)
    })
    expect((await files.put(owner, file._id, jpeg)).statusCode).toBe(200)
    expect(moving).toHaveBeenCalled()
    moving.mockRestore()
    expect((await read(to.milestoneId, entry._id, owner)).html).toContain('<img src=')
    expect(await untrue(t.config)).toEqual([])
  })
})

describe('an entry that is moved to another project', () => {
  it('takes the files along that only it uses, with their bytes, and shows those of others as before', async () => {
    const [from, to] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const own = await files.upload(owner, from.projectId, { bytes: jpeg })
    const shared = await files.upload(owner, from.projectId, {
      bytes: await picture(300, 200).png().toBuffer(),
    })
    await t.entry(owner, from.milestoneId, { content: shown(shared) })
    const entry = await t.entry(owner, from.milestoneId, { content: `${shown(own)}\n\n${shown(shared)}` })
    const params = { milestoneId: from.milestoneId, entryId: entry._id }
    const body = { milestone: to.milestoneId }
    await t.call('updateEntry', { params, body }, { as: owner })
    const projectOf = async (file: ProjectFile) =>
      (await t.pool.query('select project_id from files where id = $1', [file._id])).rows[0].project_id
    expect([await projectOf(own), await projectOf(shared)]).toEqual([to.projectId, from.projectId])
    for (const file of [own, shared]) expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    const moved = { milestoneId: to.milestoneId, entryId: entry._id }
    const change = { content: `Again ${entry.content}` }
    const { html } = await t.call('updateEntry', { params: moved, body: change }, { as: owner })
    expect(html.match(/<img src=/g)).toHaveLength(2)
    await purged(t, owner, { projectId: from.projectId })
    await sweepFiles(t.deps)
    for (const file of [own, shared]) expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    expect(await projectOf(shared)).toBe(to.projectId)
  })
})

describe('a cover', () => {
  it('of an entry is its image, before one of a form, until it is removed', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const params = { milestoneId }
    const created = await t.call(
      'createEntry',
      { params, body: { title: 'x', content: 'y', coverFile: file._id } },
      { as: owner },
    )
    const cover = {
      coverFile: file._id,
      imageURL: `/api/media/${file._id}/widest`,
      image: { smallURL: `/api/media/${file._id}/960`, width: 1_200, height: 800 },
    }
    expect(created).toMatchObject(cover)
    expect(await t.call('listEntries', { params })).toMatchObject([cover])
    expect(await t.call('listEntries', { params, query: { page: 1 } })).toMatchObject({ entries: [cover] })
    expect(await t.call('readWorld', { params: { projectId } })).toMatchObject({
      milestones: [{ entries: [cover] }],
    })
    const ref = { params: { milestoneId, entryId: created._id } }
    expect(await t.call('updateEntry', { ...ref, body: { title: 'z' } }, { as: owner })).toMatchObject(cover)
    expect(await statusOf(cover.imageURL)).toBe(200)
    const without = await t.call('updateEntry', { ...ref, body: { coverFile: null } }, { as: owner })
    expect(without).not.toHaveProperty('imageURL')
    expect(without).not.toHaveProperty('coverFile')
    expect(await statusOf(cover.imageURL)).toBe(404)
  })

  it('of a project is seen by everybody who may see the project, on its public page too', async () => {
    const { projectId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const params = { projectId }
    const update = (body: object, as = owner) => t.call('updateProject', { params, body }, { as })
    const { imageURL, image } = await update({ coverFile: file._id })
    expect(image).toMatchObject({ width: 1_200, height: 800 })
    expect(await statusOf(imageURL)).toBe(200)
    expect(await t.call('listProjects', {}, { as: owner })).toContainEqual(
      expect.objectContaining({ _id: projectId, coverFile: file._id }),
    )
    const viewer = await t.member(projectId, 'viewer')
    const theirs = await t.call('readProject', { params }, { as: viewer })
    expect(await statusOf(theirs.imageURL)).toBe(200)
    expect(await statusOf(imageURL?.split('?', 1)[0])).toBe(404)
    await update({ isPublic: true })
    const { project } = await t.call('readWorldPage', { params })
    expect(project).toMatchObject({ imageURL: `/api/media/${file._id}/widest` })
    expect(await statusOf(project.imageURL)).toBe(200)
    await update({ isPublic: false })
    expect(await statusOf(project.imageURL)).toBe(404)
    const other = await newMilestone()
    const foreign = await files.upload(owner, other.projectId, { bytes: jpeg })
    await t.entry(owner, other.milestoneId, { content: shown(foreign) })
    const error = await t.refused(
      'updateProject',
      { params, body: { coverFile: foreign._id } },
      { as: owner },
    )
    expect(error).toMatchObject({ issues: [{ path: 'coverFile' }] })
    expect(await update({ coverFile: null })).not.toHaveProperty('imageURL')
  })

  it('must be a picture', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: movie() })
    for (const coverFile of [file._id, 'x', 7]) {
      const body = { title: 'x', content: 'y', coverFile }
      const error = await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })
      expect(error).toMatchObject({ status: 400, issues: [{ path: 'coverFile' }] })
    }
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
