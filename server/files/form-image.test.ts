import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { sendForm } from '#server/testing/form.ts'
import { movie } from './inspection/testing-movies.ts'
import { picture } from './testing.ts'
import { fields, type Illustrated, imageFixture } from './testing-form-image.ts'

const { t, owner, png, illustrated, change, get, statusOf, imagesKept } = await imageFixture()
afterAll(() => t.close())

describe('an image of a form', () => {
  it('can be read in two sizes at the URL in the entry', async () => {
    const { entry } = await illustrated({ bytes: png })
    expect(entry.image).toMatchObject({ width: 1_200, height: 80 })
    const full = await get(entry.imageURL)
    expect(await sharp(full.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1_200 })
    const small = await get(entry.image.smallURL)
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 960 })
  })

  it('is a file and the cover of the entry, named by nothing of the sender', async () => {
    const { entry, projectId } = await illustrated()
    const ids = entry.coverFile ?? ''
    const [file] = await t.call('listFiles', { params: { projectId }, query: { ids } }, { as: owner })
    expect(file).toMatchObject({ name: 'image.png', kind: 'image', state: 'ready', width: 40, height: 30 })
  })

  it('is sent with its media type and cannot run scripts', async () => {
    const { entry } = await illustrated()
    const { headers, rawPayload } = await get(entry.imageURL)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(rawPayload.length),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-disposition']).toMatch(/^inline; filename="image\.png\.webp"/)
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
    const script = '\xff\xd8\xff\xe0/*JFIF*/=1;alert(1)'
    const heic = '\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'
    const before = await imagesKept()
    for (const bytes of [
      svg,
      `\ufeff<!-- x -->${svg}`,
      '<script>alert(1)</script>',
      'GIF89a/*',
      script,
      heic,
      '',
    ]) {
      const error = await send(Buffer.from(bytes, 'latin1'), 'photo.png', 'image/png')
      expect([error.statusCode, error.json().code]).toEqual([415, 'not_an_image'])
    }
    expect((await send(movie(), 'photo.png', 'image/png')).statusCode).toBe(415)
    expect(await imagesKept()).toBe(before)
  })

  it('is optional: an empty file field is ignored', async () => {
    const { milestoneId } = await illustrated()
    const url = `/api/milestones/${milestoneId}/entries`
    const image = { bytes: new Uint8Array(), name: '', type: 'application/octet-stream' }
    const response = await sendForm(t.app, { url, as: owner, fields, image })
    expect(response.statusCode).toBe(201)
    expect(response.json<Entry>()).not.toHaveProperty('imageURL')
  })

  it('must be a file: text is refused', async () => {
    const { milestoneId } = await illustrated()
    const body = { title: 'x', content: 'y', image: 'https://example.com/cat.png' }
    const error = await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })
    expect(error).toMatchObject({
      status: 400,
      issues: [{ path: 'image', message: 'An image must be sent as a file of a form' }],
    })
  })

  it('may have at most 10 MB', async () => {
    const { milestoneId } = await illustrated()
    const url = `/api/milestones/${milestoneId}/entries`
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])
    const send = (size: number) => sendForm(t.app, { url, as: owner, fields, image: { bytes: padded(size) } })
    expect((await send(10 * 1024 * 1024)).statusCode).toBe(201)
    const error = await send(10 * 1024 * 1024 + 1)
    expect([error.statusCode, error.json().code]).toEqual([413, 'too_large'])
    expect(error.json().message).toBe('The image is too large: it may have at most 10 MB')
  })

  it('is in every response with the entry', async () => {
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

  it('with an image replaces the current one', async () => {
    const fixture = await illustrated()
    const before = await imagesKept()
    const bytes = await picture(40, 40).webp().toBuffer()
    const changed = (await change(fixture, { image: { bytes } })).json<Illustrated>()
    expect(changed.image).toMatchObject({ width: 40, height: 40 })
    expect(await statusOf(changed.imageURL)).toBe(200)
    // The earlier version of the entry has it, for those who may restore that.
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
    expect(await imagesKept()).toBe(before + 1)
  })

  it('can remove the image', async () => {
    const fixture = await illustrated({ isPublic: true })
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
    const changed = await change(fixture, { fields: { ...fields, removeImage: 'true' } })
    expect(changed.json<Entry>()).not.toHaveProperty('imageURL')
    expect(changed.json<Entry>()).not.toHaveProperty('image')
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
  })

  it('that fails keeps the current image and stores nothing of the new one', async () => {
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

describe('a call that is sent again', () => {
  const key = () => ({ 'idempotency-key': randomUUID() })

  it('creates one entry with one image, also at the same moment', async () => {
    const { milestoneId } = await illustrated()
    const before = await imagesKept()
    const headers = key()
    const _id = randomUUID()
    const again = () =>
      sendForm(t.app, {
        url: `/api/milestones/${milestoneId}/entries`,
        as: owner,
        fields: { ...fields, _id },
        headers,
        image: { bytes: png },
      })
    const answers = await Promise.all([again(), again()])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 201]))
    expect((await again()).json()).toMatchObject({ _id, version: 1 })
    expect(await imagesKept()).toBe(before + 1)
  })

  it('changes an entry once, and does not read the image again, for which there may be no more room', async () => {
    const fixture = await illustrated()
    const headers = key()
    const image = { bytes: png }
    const first = await change(fixture, { headers, image })
    const before = await imagesKept()
    const inspected = vi.spyOn(t.deps.inspector, 'upload')
    const again = await change(fixture, { headers, image })
    expect(inspected).not.toHaveBeenCalled()
    inspected.mockRestore()
    expect([again.statusCode, again.json().version]).toEqual([200, first.json().version])
    expect(await imagesKept()).toBe(before)
  })
})

describe('an unavailable file store', () => {
  it('makes a save fail with 503, without creating an entry', async () => {
    const { milestoneId } = await illustrated()
    const put = vi.spyOn(t.deps.files, 'putFile').mockRejectedValue(new Error('the store is away'))
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

  it('and a full disk make a save fail in the same way, however much of the upload is still to come', async () => {
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
    // The remaining request body was read, so the connection can be reused.
    expect((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(120_000) })).status).toBe(200)
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
