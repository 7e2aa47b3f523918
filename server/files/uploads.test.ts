import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { movie, webm } from './inspection/testing-movies.ts'
import { defaultFileSettings } from './settings.ts'
import { bomb, picture } from './testing.ts'
import { uploader } from './testing-uploads.ts'

let t: TestApp
let owner: Person
let projectId: string
let jpeg: Buffer
let files: ReturnType<typeof uploader>
beforeAll(async () => {
  t = await testApp()
  files = uploader(t)
  owner = await t.person()
  projectId = (await t.project(owner))._id
  jpeg = await picture(1_200, 80).jpeg().toBuffer()
})
afterAll(() => t.close())

const list = (as: Person | undefined, ids: string[], project = projectId) =>
  t.call('listFiles', { params: { projectId: project }, query: { ids: ids.join(',') } }, { as })
const incoming = async () =>
  (await readdir(t.deps.files.incoming)).filter((name) => name.startsWith('milepost'))

describe('a reserved file', () => {
  it('has an id before its bytes arrive, and is ready once they have', async () => {
    const [reserved] = await files.reserve(owner, projectId, [
      { name: 'boards.jpg', type: 'image/jpeg', size: jpeg.length },
    ])
    expect(reserved).toMatchObject({ kind: 'image', state: 'waiting', url: `/files/${reserved?._id}` })
    expect(reserved).not.toHaveProperty('mediaURL')
    const ready = (await files.put(owner, reserved?._id ?? '', jpeg)).json<ProjectFile>()
    expect(ready).toMatchObject({
      state: 'ready',
      type: 'image/jpeg',
      width: 1_200,
      height: 80,
      animated: false,
    })
    expect(ready.sources?.map(({ width }) => width)).toEqual([480, 960, 1_200])
    expect(await list(owner, [ready._id])).toMatchObject([{ _id: ready._id, state: 'ready' }])
    for (const { url, width } of ready.sources ?? []) {
      const sent = await t.app.inject(url)
      expect(sent.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
      })
      expect(await sharp(sent.rawPayload).metadata()).toMatchObject({ format: 'webp', width })
    }
    expect(await incoming()).toEqual([])
  })

  it('may be sent again without effect', async () => {
    const file = await files.upload(owner, projectId, { bytes: jpeg })
    const kept = (await t.kept()).toSorted()
    const other = Buffer.alloc(jpeg.length, 'x')
    expect((await files.put(owner, file._id, other)).json()).toMatchObject({
      state: 'ready',
      type: 'image/jpeg',
    })
    expect((await t.kept()).toSorted()).toEqual(kept)

    // After a lost response the browser sends it again. The stored picture may be smaller than what is sent.
    const longer = Buffer.concat([jpeg, Buffer.alloc(100)])
    const stripped = await files.upload(owner, projectId, { bytes: longer })
    expect(stripped.size).toBeLessThan(longer.length)
    expect((await files.put(owner, stripped._id, longer)).json()).toMatchObject({
      _id: stripped._id,
      state: 'ready',
    })
  })

  it('that is sent by two connections concurrently is stored once', { tags: ['long'] }, async () => {
    const [reserved] = await files.reserve(owner, projectId, [{ name: 'a.jpg', size: jpeg.length }])
    const before = await t.kept()
    const id = reserved?._id ?? ''
    const both = await Promise.all([files.put(owner, id, jpeg), files.put(owner, id, jpeg)])
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await t.kept()).length - before.length).toBe(4)
    expect(await t.app.inject(both[0].json<ProjectFile>().mediaURL ?? '')).toMatchObject({ statusCode: 200 })
  })

  it('cannot be uploaded to, seen or deleted by anybody else', async () => {
    const [reserved] = await files.reserve(owner, projectId, [{ name: 'a.jpg', size: jpeg.length }])
    const id = reserved?._id ?? ''
    const editor = await t.member(projectId, 'editor')
    for (const other of [editor, await t.person()]) {
      expect((await files.put(other, id, jpeg)).statusCode).toBe(404)
      expect(await t.refused('deleteFile', { params: { fileId: id } }, { as: other })).toMatchObject({
        status: 404,
      })
    }
    expect(await list(editor, [id])).toEqual([])
    await t.call('deleteFile', { params: { fileId: id } }, { as: owner })
    expect(await list(owner, [id])).toEqual([])
    expect((await files.put(owner, id, jpeg)).statusCode).toBe(404)
  })

  it('has a name without a path and control characters', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\boot.ini',
      'photo\u202egpj.exe',
      'a\u0000b',
      'x\r\nset-cookie: y',
      'می\u200cخواهم 👩\u200d👧.jpg',
      '  ',
    ]
    const said = names.filter((name) => !name.includes('\0') && name.trim())
    const reserved = await files.reserve(
      owner,
      projectId,
      said.map((name) => ({ name, size: 3 })),
    )
    expect(reserved.map(({ name }) => name)).toEqual([
      '.. .. etc passwd',
      'C: boot.ini',
      'photo gpj.exe',
      'x set-cookie: y',
      'می\u200cخواهم 👩\u200d👧.jpg',
    ])
    for (const name of ['a\u0000b', '  ', 'n'.repeat(256)]) {
      const body = { files: [{ name, size: 3 }] }
      const error = await t.refused('reserveFiles', { params: { projectId }, body }, { as: owner })
      expect(error).toMatchObject({ status: 400, issues: [{ path: 'files.0.name' }] })
    }
  })
})

describe('an upload', () => {
  it('whose size differs from the declared one is refused and not stored', async () => {
    const [file] = await files.reserve(owner, projectId, [{ name: 'boards.jpg', size: jpeg.length }])
    const id = file?._id ?? ''
    const kept = await t.kept()
    const short = await files.put(owner, id, jpeg.subarray(0, 100))
    expect([short.statusCode, short.json().message]).toEqual([
      400,
      '“boards.jpg” was not received completely. Please send it again.',
    ])
    const long = await files.put(owner, id, Buffer.concat([jpeg, jpeg]))
    expect([long.statusCode, long.json().message]).toEqual([400, '“boards.jpg” is larger than declared.'])
    expect([await incoming(), await t.kept()]).toEqual([[], kept])
    expect((await files.put(owner, id, jpeg)).statusCode).toBe(200)
  })

  it('beyond the limit of its kind is refused before and during the upload, with its name and the limit', async () => {
    const small = await testApp({
      fileSettings: {
        ...defaultFileSettings,
        fileLimits: { picture: 2e6, video: 4e6, other: 1e6, perEntry: 100 },
      },
    })
    const person = await small.person()
    const { _id } = await small.project(person)
    const refuse = (file: object) =>
      small.refused('reserveFiles', { params: { projectId: _id }, body: { files: [file] } }, { as: person })
    const large = { name: 'sea.png', type: 'image/png', size: 2_000_001 }
    expect(await refuse(large)).toMatchObject({
      status: 413,
      message: expect.stringMatching(/^“sea\.png” is too large: a picture may have at most/),
    })
    const sent = await uploader(small).send(person, _id, {
      name: 'sea.mp4',
      type: 'video/mp4',
      bytes: Buffer.concat([jpeg, Buffer.alloc(2_500_000)]),
    })
    expect([sent.statusCode, sent.json().code]).toEqual([413, 'too_large'])
    const archive = await uploader(small).send(person, _id, {
      name: 'all.zip',
      bytes: Buffer.alloc(1_000_001),
    })
    expect(archive.json()).toMatchObject({
      code: 'too_large',
      message: '“all.zip” is too large: a file for download may have at most 1 MB',
    })
    expect(await small.kept()).toEqual([])
    await small.close()
  })

  it('that is interrupted leaves no files', async () => {
    const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
    const [file] = await files.reserve(owner, projectId, [{ name: 'boards.jpg', size: jpeg.length }])
    const broken = new AbortController()
    const body = Readable.from(
      (async function* () {
        yield jpeg.subarray(0, 500)
        broken.abort()
        yield jpeg.subarray(500)
      })(),
    )
    const sending = fetch(`${address}/api/files/${file?._id}/content`, {
      method: 'PUT',
      headers: owner.headers,
      body: Readable.toWeb(body) as ReadableStream,
      duplex: 'half',
      signal: broken.signal,
    } as RequestInit)
    await expect(sending).rejects.toThrow('aborted')
    await expect.poll(incoming).toEqual([])
    expect((await files.put(owner, file?._id ?? '', jpeg)).statusCode).toBe(200)
  })

  it('counts towards the quota of the project’s owner from reservation to removal', async () => {
    const quotas = createQuotas({
      ...defaultQuotas,
      accountQuota: 500_000,
      instanceQuota: undefined,
      clock: t.deps.clock,
    })
    const full = await testApp({ quotas })
    const person = await full.person()
    const { _id } = await full.project(person)
    const { reserve, put } = uploader(full)
    const [file] = await reserve(person, _id, [{ name: 'a', size: 400_000 }])
    const more = { params: { projectId: _id }, body: { files: [{ name: 'b', size: 200_000 }] } }
    expect(await full.refused('reserveFiles', more, { as: person })).toMatchObject({ code: 'quota_exceeded' })
    await full.call('deleteFile', { params: { fileId: file?._id ?? '' } }, { as: person })
    const [second] = await reserve(person, _id, [{ name: 'b', size: jpeg.length }])
    expect((await put(person, second?._id ?? '', jpeg)).statusCode).toBe(200)
    const stored = await full.pool.query('select file_bytes from storage_usage where user_id = $1', [
      person.userId,
    ])
    expect(stored.rows[0].file_bytes).toBeGreaterThan(jpeg.length)
    await full.close()
  })
})

describe('the kind of a file', () => {
  const kindOf = async (bytes: Uint8Array, name = 'holiday.png') => {
    const response = await files.send(owner, projectId, { name, type: 'image/png', bytes })
    return response.statusCode === 200 ? response.json<ProjectFile>() : response.json<{ message: string }>()
  }

  it('is recognized by its content, never by its name or the type that the browser sent', async () => {
    expect(await kindOf(movie())).toMatchObject({ kind: 'video', type: 'video/mp4', width: 640, height: 360 })
    expect(await kindOf(webm())).toMatchObject({ kind: 'video', type: 'video/webm', width: 640, height: 360 })
    expect(await kindOf(webm('matroska'))).toMatchObject({ kind: 'other' })
    expect(await kindOf(Buffer.from('ID3\x04 and then sound'))).toMatchObject({
      kind: 'audio',
      type: 'audio/mpeg',
    })
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<script>alert(1)</script>',
      '%PDF-1.7',
      'PK\x03\x04',
    ])
      expect(await kindOf(Buffer.from(text))).toMatchObject({
        kind: 'other',
        type: 'application/octet-stream',
      })
  })

  it('that cannot be decoded is reported in a sentence with its name', async () => {
    const heic = Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic', 'latin1')
    expect(await kindOf(heic, 'IMG_1.HEIC')).toMatchObject({
      kind: 'other',
      notice: expect.stringMatching(/^“IMG_1.HEIC” is a picture in the format HEIC that cannot be shown/),
    })
    expect(await kindOf(Buffer.from('<html>404 Not Found</html>'), 'saved.png')).toMatchObject({
      kind: 'other',
      notice: expect.stringMatching(/^“saved.png” is no picture/),
    })
    expect(await kindOf(jpeg.subarray(0, 271), 'half.jpg')).toMatchObject({
      message: expect.stringContaining('“half.jpg” is not complete'),
    })
    expect(await kindOf(bomb(60_000, 60_000, 1), 'bomb.png')).toMatchObject({
      code: 'too_large',
      message: '“bomb.png” has too many pixels: a picture may have at most 50 megapixels',
    })
  })

  it('is a download unless it is a picture, a video or audio', async () => {
    const { mediaURL = '' } = (await kindOf(
      Buffer.from('<script>alert(1)</script>'),
      'día "1".html',
    )) as ProjectFile
    const { headers, body } = await t.app.inject(mediaURL)
    expect(body).toBe('<script>alert(1)</script>')
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="d_a _1_.html"; filename*=UTF-8''d%C3%ADa%20%221%22.html`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('a byte range of a file', () => {
  let url: string
  let whole: Buffer
  beforeAll(async () => {
    const file = await files.upload(owner, projectId, { name: 'boat.mp4', bytes: movie() })
    url = file.mediaURL ?? ''
    whole = (await t.app.inject(url)).rawPayload
  })

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-20', -20, undefined],
    ['bytes=5-99999999', 5, undefined],
    ['bytes=0-99999999999999999999999', 0, undefined],
    ['bytes=-99999999999999999999999', 0, undefined],
  ])('%s is sent with 206', async (range, from, to) => {
    const { statusCode, headers, rawPayload } = await t.app.inject({ url, headers: { range } })
    expect(statusCode).toBe(206)
    expect(rawPayload).toEqual(whole.subarray(from, to))
    const start = from < 0 ? whole.length + from : from
    expect(headers['content-range']).toBe(`bytes ${start}-${start + rawPayload.length - 1}/${whole.length}`)
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(rawPayload.length),
    })
  })

  it('that is not satisfiable is refused with 416', async () => {
    for (const range of ['bytes=99999999-', 'bytes=-0']) {
      const { statusCode, headers } = await t.app.inject({ url, headers: { range } })
      expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
    }
  })

  it('is not read for a HEAD request', async () => {
    const reading = vi.spyOn(t.deps.files, 'read')
    const { statusCode, headers, rawPayload } = await t.app.inject({ method: 'HEAD', url })
    expect([statusCode, headers['content-length'], rawPayload.length]).toEqual([200, String(whole.length), 0])
    const stored = await reading.mock.results[0]?.value
    expect(stored.bytes).toMatchObject({ destroyed: true, bytesRead: 0 })
    reading.mockRestore()
  })

  it('of another version, several ranges and invalid ranges return the whole file', async () => {
    const { etag } = (await t.app.inject(url)).headers
    const same = { range: 'bytes=0-9', 'if-range': String(etag) }
    expect((await t.app.inject({ url, headers: same })).statusCode).toBe(206)
    const others = [
      { range: 'bytes=0-9', 'if-range': '"another"' },
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=9-3' },
      { range: 'bytes=-' },
      { range: 'lines=1-2' },
    ]
    for (const headers of others as Record<string, string>[]) {
      const all = await t.app.inject({ url, headers })
      expect([all.statusCode, all.headers['accept-ranges']]).toEqual([200, 'bytes'])
      expect(all.rawPayload).toEqual(whole)
    }
  })
})
