import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { fileSweeps, sweepImages } from '#server/files/sweep.ts'
import { picture } from '#server/files/testing.ts'
import { startSchedule } from '#server/platform/schedule.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { purged } from '#server/trash/testing.ts'

const HOUR = 3_600_000

let t: TestApp
let owner: Person
let png: Buffer
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  png = await picture(900, 600).png().toBuffer()
})
afterAll(() => t.close())

const fields = { title: 'First boards', content: 'They smell of summer.', tags: '[]' }

type Illustrated = Entry & Required<Pick<Entry, 'imageURL' | 'image'>>
type Fixture = { projectId: string; milestoneId: string; entry: Illustrated }

const entryUrl = ({ milestoneId, entry }: Fixture) => `/api/milestones/${milestoneId}/entries/${entry._id}`

async function illustrated({ isPublic = false } = {}): Promise<Fixture> {
  const { _id: projectId } = await t.project(owner, { isPublic })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const url = `/api/milestones/${milestoneId}/entries`
  const response = await sendForm(t.app, { url, as: owner, fields, image: { bytes: png } })
  expect(response.statusCode).toBe(201)
  return { projectId, milestoneId, entry: response.json() }
}

const change = (fixture: Fixture, form: Partial<Parameters<typeof sendForm>[1]> = {}) =>
  sendForm(t.app, { method: 'PUT', url: entryUrl(fixture), as: owner, fields, ...form })

const readEntry = async (fixture: Fixture, as?: Person) =>
  (await t.app.inject({ url: entryUrl(fixture), headers: as?.headers ?? {} })).json<Illustrated>()

const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers })
const statusOf = async (url: string) => (await get(url)).statusCode
const publish = (projectId: string, isPublic: boolean) =>
  t.call(
    'updateProject',
    { params: { projectId }, body: { title: 'x', description: 'y', isPublic } },
    { as: owner },
  )

/** How many images are in the store once what is to go has gone. */
async function imagesKept(): Promise<number> {
  await sweepImages(t.deps)
  const files = await t.kept()
  expect(files.length % 2).toBe(0)
  return files.length / 2
}

describe('an image of an entry', () => {
  it('is read at the address that the entry gives, in two sizes', async () => {
    const { entry } = await illustrated()
    expect(entry.image).toMatchObject({ width: 900, height: 600 })
    const full = await get(entry.imageURL)
    expect(await sharp(full.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 900 })
    const small = await get(entry.image.smallURL)
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800 })
  })

  it('is sent with its own type and cannot run scripts', async () => {
    const { entry } = await illustrated()
    const { headers, rawPayload } = await get(entry.imageURL)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(rawPayload.length),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-disposition']).toMatch(/^inline; filename="image-[0-9a-f]{8}\.webp"$/)
  })

  it('is recognized by its content, regardless of its name and declared type', async () => {
    const { milestoneId } = await illustrated()
    const send = (bytes: Uint8Array, name: string, type: string) =>
      sendForm(t.app, {
        url: `/api/milestones/${milestoneId}/entries`,
        as: owner,
        fields,
        image: { bytes, name, type },
      })
    expect((await send(png, '../../etc/passwd.html', 'text/html')).statusCode).toBe(201)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const bytes of [svg, '<script>alert(1)</script>', 'GIF89a/*', '']) {
      const error = await send(Buffer.from(bytes), 'photo.png', 'image/png')
      expect([error.statusCode, error.json().code]).toEqual([415, 'not_an_image'])
    }
  })

  it('may come as a form without a file, which leaves the field empty', async () => {
    const { milestoneId } = await illustrated()
    const url = `/api/milestones/${milestoneId}/entries`
    const image = { bytes: new Uint8Array(), name: '', type: 'application/octet-stream' }
    const response = await sendForm(t.app, { url, as: owner, fields, image })
    expect(response.statusCode).toBe(201)
    expect(response.json<Entry>()).not.toHaveProperty('imageURL')
  })

  it('must be a file: text instead of one is refused', async () => {
    const { milestoneId } = await illustrated()
    const body = { title: 'x', content: 'y', image: 'https://example.com/cat.png' }
    const error = await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })
    expect(error).toMatchObject({
      status: 400,
      issues: [{ path: 'image', message: 'An image must be sent as a file of a form' }],
    })
  })

  it('may weigh 10 MB and not a byte more', async () => {
    const { milestoneId } = await illustrated()
    const url = `/api/milestones/${milestoneId}/entries`
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
    const send = (size: number) => sendForm(t.app, { url, as: owner, fields, image: { bytes: padded(size) } })
    expect((await send(10 * 1024 * 1024)).statusCode).toBe(201)
    const error = await send(10 * 1024 * 1024 + 1)
    expect([error.statusCode, error.json().code]).toEqual([413, 'too_large'])
    expect(error.json().message).toBe('The image is too large: it may have at most 10 MB')
  })

  it('is part of every answer that shows the entry', async () => {
    const fixture = await illustrated({ isPublic: true })
    const { imageURL, image } = fixture.entry
    const params = { milestoneId: fixture.milestoneId }
    expect(await t.call('listEntries', { params })).toMatchObject([{ imageURL, image }])
    const page = await t.call('listEntries', { params, query: { page: 1 } })
    expect(page).toMatchObject({ entries: [{ imageURL, image }] })
    const world = await t.call('readWorld', { params: { projectId: fixture.projectId } })
    expect(world).toMatchObject({ milestones: [{ entries: [{ imageURL, image }] }] })
  })
})

describe('an update', () => {
  it('without an image keeps the current one', async () => {
    const fixture = await illustrated()
    const changed = (await change(fixture, { fields: { ...fields, title: 'Other' } })).json<Entry>()
    expect(changed).toMatchObject({
      title: 'Other',
      image: fixture.entry.image,
      imageURL: fixture.entry.imageURL,
    })
    const { title, content } = fields
    const params = { milestoneId: fixture.milestoneId, entryId: fixture.entry._id }
    const sent = { params, body: { title, content } }
    expect(await t.call('updateEntry', sent, { as: owner })).toMatchObject({ image: fixture.entry.image })
  })

  it('with an image replaces the one that is there', async () => {
    const fixture = await illustrated()
    const before = await imagesKept()
    const bytes = await picture(40, 40).webp().toBuffer()
    const changed = (await change(fixture, { image: { bytes } })).json<Illustrated>()
    expect(changed.image).toMatchObject({ width: 40, height: 40 })
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    expect(await statusOf(changed.imageURL)).toBe(200)
    expect(await imagesKept()).toBe(before)
  })

  it('can take the image away', async () => {
    const before = await imagesKept()
    const fixture = await illustrated()
    const changed = await change(fixture, { fields: { ...fields, removeImage: 'true' } })
    expect(changed.json<Entry>()).not.toHaveProperty('imageURL')
    expect(changed.json<Entry>()).not.toHaveProperty('image')
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    expect(await imagesKept()).toBe(before)
  })

  it('that fails keeps the old image and stores nothing of the new one', async () => {
    const fixture = await illustrated()
    const before = await imagesKept()
    const image = { bytes: png }
    const stale = await change(fixture, { image, headers: { 'if-match': '"7"' } })
    expect(stale.statusCode).toBe(412)
    expect(stale.json().current).toMatchObject({ imageURL: fixture.entry.imageURL })
    expect((await change(fixture, { image, fields: { ...fields, title: '' } })).statusCode).toBe(400)
    expect((await change(fixture, { image, as: await t.person() })).statusCode).toBe(404)
    const viewer = await t.member(fixture.projectId, 'viewer')
    expect((await change(fixture, { image, as: viewer })).statusCode).toBe(403)
    expect((await change(fixture, { image, as: undefined })).statusCode).toBe(401)
    const { milestoneId } = await illustrated()
    expect((await change({ ...fixture, milestoneId }, { image })).statusCode).toBe(404)
    expect(await imagesKept()).toBe(before + 1)
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
  })
})

describe('who reads an image', () => {
  it('of a private project is who may view it, by an address of their own', async () => {
    const fixture = await illustrated()
    const viewer = await t.member(fixture.projectId, 'viewer')
    const theirs = (await readEntry(fixture, viewer)).imageURL
    expect(theirs).not.toBe(fixture.entry.imageURL)
    expect(await statusOf(theirs)).toBe(200)
    expect(await statusOf(theirs.split('?', 1)[0] ?? '')).toBe(404)
  })

  it('is refused with a forged or copied signature', async () => {
    const { entry } = await illustrated()
    const other = await illustrated()
    const stranger = await t.person()
    const url = new URL(entry.imageURL, 'http://localhost')
    const altered = (name: string, value: string) => {
      const forged = new URL(url)
      forged.searchParams.set(name, value)
      return `${forged.pathname}${forged.search}`
    }
    expect(await statusOf(altered('reader', owner.userId))).toBe(200)
    expect(await statusOf(altered('reader', stranger.userId))).toBe(404)
    expect(await statusOf(altered('until', '99999999999'))).toBe(404)
    for (const proof of ['', 'AAAA', `${url.searchParams.get('proof')}A`.slice(1)])
      expect(await statusOf(altered('proof', proof))).toBe(404)
    const path = new URL(other.entry.imageURL, 'http://localhost').pathname
    expect(await statusOf(`${path}${url.search}`)).toBe(404)
  })

  it('loses it with the right to view, before the address is over', async () => {
    const fixture = await illustrated()
    const viewer = await t.member(fixture.projectId, 'viewer')
    const { imageURL } = await readEntry(fixture, viewer)
    expect(await statusOf(imageURL)).toBe(200)
    await t.deps.db.deleteFrom('collaborators').where('user_id', '=', viewer.userId).execute()
    expect(await statusOf(imageURL)).toBe(404)
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
  })

  it('reads it for an hour or a little more by one address', async () => {
    const fixture = await illustrated()
    t.later(0.99 * HOUR)
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
    t.later(0.6 * HOUR)
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    const viewer = await t.member(fixture.projectId, 'viewer')
    expect(await statusOf((await readEntry(fixture, viewer)).imageURL)).toBe(200)
    t.later(-1.59 * HOUR)
  })

  it('of a public project is anybody, and only while it is public', async () => {
    const fixture = await illustrated({ isPublic: true })
    const { imageURL } = await readEntry(fixture)
    expect(imageURL).toMatch(/^\/api\/media\/[0-9a-f-]{36}\/full$/)
    const seen = await get(imageURL)
    expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'no-cache'])
    const again = await get(imageURL, { 'if-none-match': String(seen.headers.etag) })
    for (const { headers } of [seen, again]) {
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    }

    await publish(fixture.projectId, false)
    const etag = String(seen.headers.etag)
    for (const headers of [{}, { 'if-none-match': etag }] as Record<string, string>[]) {
      const hidden = await get(imageURL, headers)
      expect([hidden.statusCode, hidden.headers['cache-control']]).toEqual([404, 'no-store'])
      expect(hidden.json().code).toBe('not_found')
    }
    const { imageURL: personal } = await readEntry(fixture, owner)
    await publish(fixture.projectId, true)
    expect(await statusOf(personal)).toBe(200)
    expect(await statusOf(imageURL)).toBe(200)
  })

  it('cannot distinguish a hidden image from one that does not exist', async () => {
    const { entry } = await illustrated()
    const answer = async (url: string) => {
      const { statusCode, body } = await get(url)
      return { statusCode, body }
    }
    const hidden = await answer(entry.imageURL.split('?', 1)[0] ?? '')
    expect(await answer('/api/media/0199f1f0-0000-7000-8000-000000000000/full')).toEqual(hidden)
    for (const path of ['x/full', '../../package.json', '%2e%2e/full', `${'0'.repeat(36)}/small`])
      expect(await statusOf(`/api/media/${path}`)).toBe(404)
    expect(await statusOf(entry.imageURL.replace('/full', '/original'))).toBe(404)
  })

  it('need not be sent it twice', async () => {
    const { entry } = await illustrated()
    const first = await get(entry.imageURL)
    const [, seconds] =
      /^private, max-age=(\d+), immutable$/.exec(String(first.headers['cache-control'])) ?? []
    expect(Number(seconds)).toBeGreaterThan(3_500)
    expect(Number(seconds)).toBeLessThanOrEqual(5_400)
    const again = await get(entry.imageURL, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    expect(again.headers.etag).toBe(first.headers.etag)
    const small = await get(entry.image.smallURL, { 'if-none-match': String(first.headers.etag) })
    expect(small.statusCode).toBe(200)
    const head = await t.app.inject({ method: 'HEAD', url: entry.imageURL })
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  })
})

describe('the files of an image', () => {
  const things = {
    entry: ({ milestoneId, entry }: Fixture) => purged(t, owner, { milestoneId, entryId: entry._id }),
    milestone: ({ projectId, milestoneId }: Fixture) => purged(t, owner, { projectId, milestoneId }),
    project: ({ projectId }: Fixture) => purged(t, owner, { projectId }),
  }

  it.each(Object.entries(things))('go with the %s', async (_thing, remove) => {
    const before = await imagesKept()
    const fixture = await illustrated()
    expect(await imagesKept()).toBe(before + 1)
    await remove(fixture)
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    expect(await imagesKept()).toBe(before)
    const { rows } = await t.pool.query('select from images where remove_after is not null')
    expect(rows).toEqual([])
  })

  it('go with the person', async () => {
    const before = await imagesKept()
    const leaver = await t.person()
    const { _id: milestoneId } = await t.milestone(leaver, (await t.project(leaver))._id)
    const url = `/api/milestones/${milestoneId}/entries`
    await sendForm(t.app, { url, as: leaver, fields, image: { bytes: png } })
    expect(await imagesKept()).toBe(before + 1)
    await t.deps.db.deleteFrom('users').where('id', '=', leaver.userId).execute()
    expect(await imagesKept()).toBe(before)
  })

  it('stay until they can be removed', async () => {
    const before = await imagesKept()
    const { milestoneId, entry } = await illustrated()
    await purged(t, owner, { milestoneId, entryId: entry._id })
    const broken = { ...t.deps.files, remove: () => Promise.reject(new Error('the store is away')) }
    await sweepImages({ ...t.deps, files: broken })
    expect((await t.kept()).length / 2).toBe(before + 1)
    await sweepImages(t.deps)
    expect((await t.kept()).length / 2).toBe(before + 1)
    await t.pool.query(`update images set remove_after = now() where remove_after is not null`)
    expect(await imagesKept()).toBe(before)
  })

  it('go by themselves after a moment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stop = startSchedule(fileSweeps(t.deps), t.deps.log)
    const before = await imagesKept()
    const { milestoneId, entry } = await illustrated()
    await purged(t, owner, { milestoneId, entryId: entry._id })
    expect((await t.kept()).length / 2).toBe(before + 1)
    vi.advanceTimersByTime(15_000)
    await stop()
    expect((await t.kept()).length / 2).toBe(before)
    vi.useRealTimers()
  })

  it('of a save that a crash cut off go after an hour', async () => {
    const before = await imagesKept()
    const id = '0b9f1f00-0000-4000-8000-0000000000aa'
    await t.pool.query(`insert into images values ($1, now() + interval '1 hour')`, [id])
    await t.deps.files.put(`images/aa/${id}-full.webp`, png, 'image/webp')
    await t.deps.files.put(`images/aa/${id}-small.webp`, png, 'image/webp')
    expect(await imagesKept()).toBe(before + 1)
    await t.pool.query(`update images set remove_after = remove_after - interval '1 hour' where id = $1`, [
      id,
    ])
    expect(await imagesKept()).toBe(before)
  })
})

describe('a store that is away', () => {
  it('fails the save with 503, and leaves no entry', async () => {
    const { milestoneId } = await illustrated()
    const put = vi.spyOn(t.deps.files, 'put').mockRejectedValue(new Error('the store is away'))
    const url = `/api/milestones/${milestoneId}/entries`
    const error: LightMyRequestResponse = await sendForm(t.app, {
      url,
      as: owner,
      fields,
      image: { bytes: png },
    })
    put.mockRestore()
    expect([error.statusCode, error.json().code]).toEqual([503, 'unavailable'])
    expect(await t.call('listEntries', { params: { milestoneId } }, { as: owner })).toHaveLength(1)
  })

  it('and a disk without room for uploads fails the save in the same way, however much is still to come', async () => {
    const { milestoneId } = await illustrated()
    const origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('image', new Blob([new Uint8Array(9_000_000)]), 'image.png')
    vi.stubEnv('TMPDIR', '/no/such/folder')
    vi.stubEnv('TEMP', '/no/such/folder')
    const url = `${origin}/api/milestones/${milestoneId}/entries`
    const error = await fetch(url, { method: 'POST', headers: owner.headers, body })
    vi.unstubAllEnvs()
    expect([error.status, error.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await error.json()).toMatchObject({ code: 'unavailable' })
    // What was still to come was read, so that its connection serves again.
    expect((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(15_000) })).status).toBe(200)
    t.app.server.closeAllConnections()
    expect(await t.call('listEntries', { params: { milestoneId } }, { as: owner })).toHaveLength(1)
  })

  it('returns an uncacheable 503 for an image', async () => {
    const { entry } = await illustrated()
    const read = vi.spyOn(t.deps.files, 'read').mockRejectedValue(new Error('the store is away'))
    const error = await get(entry.imageURL)
    read.mockRestore()
    expect([error.statusCode, error.headers['cache-control']]).toEqual([503, 'no-store'])
  })
})
