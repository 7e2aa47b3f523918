import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bomb, picture } from '#server/files/testing.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createInspector, isWornOut } from './inspect.ts'

const logged: { level: number; reason?: string }[] = []
const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) })
const inspector = createInspector(log)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function decode(bytes: Uint8Array, client = clientNamed('ada')) {
  const file = path.join(folder, `upload-${(await readdir(folder)).length}`)
  await writeFile(file, bytes)
  return inspector.upload({ file, name: 'boards.jpg', pixelsMax: 1e6 }, client)
}

describe('the image inspector', () => {
  it('returns the properties of a picture, and logs nothing', async () => {
    expect(await decode(await picture(60, 40).png().toBuffer())).toMatchObject({ width: 60, height: 40 })
    expect(logged).toEqual([])
  })

  it('returns why it refuses a file, and logs the message of the decoder', async () => {
    await expect(decode(bomb(60_000, 60_000, 1))).rejects.toMatchObject({ code: 'too_large', status: 413 })
    await expect(decode(bomb(90, 90, 2))).rejects.toMatchObject({ code: 'unsupported_media', status: 415 })
    expect(logged).toMatchObject([{ level: 30 }, { level: 30, reason: expect.stringMatching(/\w/) }])
  })

  it('gives up its process after a refused file, and after one that took much memory', () => {
    const found = { kind: 'other', type: 'text/plain', size: 1 } as const
    const error = { code: 'not_an_image', message: 'x', reason: undefined } as const
    expect(isWornOut({ found, peakMegabytes: 180 })).toBe(false)
    expect(isWornOut({ found, peakMegabytes: 1_200 })).toBe(true)
    expect(isWornOut({ error, peakMegabytes: 90 })).toBe(true)
  })

  it('inspects an uploaded file, and writes the widths of a picture beside it', async () => {
    const file = path.join(folder, 'a-picture')
    await writeFile(file, await picture(500, 40).jpeg().toBuffer())
    const upload = { file, name: 'boards.jpg', pixelsMax: 1e6 }
    expect(await inspector.upload(upload, clientNamed('ada'))).toMatchObject({
      type: 'image/jpeg',
      widths: [480, 500],
    })
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['a-picture.480', 'a-picture.widest']))
    await expect(inspector.upload({ ...upload, pixelsMax: 1_000 }, clientNamed('ada'))).rejects.toMatchObject(
      {
        code: 'too_large',
      },
    )
  })

  it('may crash without affecting anything else', async () => {
    const nothingToRead = path.join(folder, 'a-folder')
    await mkdir(nothingToRead)
    const broken = inspector.profilePicture(nothingToRead, clientNamed('ada'))
    await expect(broken).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    expect(logged.at(-1)).toMatchObject({
      level: 40,
      err: { message: expect.stringContaining('EISDIR') },
    })
    expect(await decode(await picture(9, 9).gif().toBuffer())).toMatchObject({ width: 9 })
  })

  it('does not report a picture as broken if it could not read it in time, or could not write its widths', async () => {
    const isSlow = createInspector(log, () => Promise.reject(new DOMException('too slow', 'TimeoutError')))
    const upload = { file: 'a file', name: 'boards.jpg', pixelsMax: 1e6 }
    await expect(isSlow.upload(upload, clientNamed('ada'))).rejects.toMatchObject({
      code: 'unavailable',
      message: '“boards.jpg” could not be read right now. Please try again in a moment.',
    })
    const file = path.join(folder, 'full-disk')
    await writeFile(file, await picture(500, 40).jpeg().toBuffer())
    await symlink('/dev/full', `${file}.480`)
    await expect(inspector.upload({ ...upload, file }, clientNamed('ada'))).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(logged.at(-1)).toMatchObject({ err: { message: expect.stringContaining('No space left') } })
  })

  it('refuses further requests of one person while theirs are queued', async () => {
    const { promise: first, resolve: finish } = Promise.withResolvers<never>()
    const held = createInspector(log, () => first)
    const results = Array.from({ length: 6 }, () => held.profilePicture('a file', clientNamed('ada')))
    const tooMany = { code: 'too_many_requests' }
    await Promise.all(results.slice(4).map((refused) => expect(refused).rejects.toMatchObject(tooMany)))
    finish({ found: 'a picture' } as never)
    expect(await Promise.all(results.slice(0, 4))).toEqual(Array(4).fill('a picture'))
  })
})
