import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { testApp } from '#server/testing/app.ts'
import { createInspector } from './inspection/inspect.ts'
import { uploader } from './testing-uploads.ts'

const [WIDTH, HEIGHT] = [4_000, 3_000]
const COUNT = 20
const MEGABYTE = 1024 * 1024

/** A picture with as much detail as a photograph: some five megabytes. */
const photograph = () =>
  sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .blur(0.7)
    .jpeg({ quality: 85 })
    .toBuffer()

it('twenty pictures of twelve megapixels do not increase the memory of the server', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-memory-'))
  const file = path.join(folder, 'photograph.jpg')
  const { length: size } = await photograph().then(async (bytes) => {
    await writeFile(file, bytes)
    return bytes
  })
  const t = await testApp({ inspector: createInspector(pino({ level: 'silent' })) })
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const upload = async (id: string): Promise<ProjectFile> => {
    const response = await fetch(`${address}/api/files/${id}/content`, {
      method: 'PUT',
      headers: owner.headers,
      body: await openAsBlob(file),
    })
    return (await response.json()) as ProjectFile
  }
  const reserve = () =>
    uploader(t).reserve(
      owner,
      projectId,
      Array.from({ length: COUNT }, (_, n) => ({ name: `${n}.jpg`, type: 'image/jpeg', size })),
    )
  const [warm] = await reserve()
  await upload(warm?._id ?? '')

  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const waiting = await reserve()
  const ready: ProjectFile[] = []
  // Like the browser, a few at a time.
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) ready.push(await upload(next._id))
    }),
  )
  clearInterval(watch)
  await t.close()
  await rm(folder, { recursive: true })
  expect(ready.map(({ state, width }) => [state, width])).toEqual(
    Array.from({ length: COUNT }, () => ['ready', WIDTH]),
  )
  // This process never holds their pixels, or all bytes of a file.
  expect(most - before).toBeLessThan(100 * MEGABYTE)
})
