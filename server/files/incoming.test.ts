import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { receive } from './incoming.ts'
import { defaultFileSettings } from './settings.ts'

const log = { warn: () => {}, error: () => {} }
const expected = { name: 'boards.jpg', size: 1_000, limits: defaultFileSettings.fileLimits }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-test-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

it('a stalled upload is aborted without leaving files, and its connection stays open for the response', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const bytes = new Readable({ read() {} })
  bytes.push(Buffer.alloc(10))
  const received = receive(bytes, clientNamed('ada'), expected, { folder, log })
  received.catch(() => undefined)
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1))
  vi.advanceTimersByTime(90_000)
  await expect(received).rejects.toMatchObject({
    code: 'too_slow',
    message: '“boards.jpg” took too long to arrive',
  })
  expect(await readdir(folder)).toEqual([])
  expect(bytes.destroyed).toBe(false)
  bytes.destroy()
})

it('an upload is not kept in memory, however large it is', async () => {
  const chunk = 65_536
  const size = 640 * chunk
  function* generate() {
    for (let n = 0; n < size / chunk; n += 1) yield Buffer.alloc(chunk, n)
  }
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const used = () => (gc(), process.memoryUsage().arrayBuffers)
  const before = used()
  const limits = { ...expected.limits, picture: size, video: size, other: size }
  const bytes = Readable.from(generate(), { objectMode: false })
  const incoming = await receive(bytes, clientNamed('ada'), { ...expected, size, limits }, { folder, log })
  // A turn of the event loop releases what was dereferenced in this one.
  await expect.poll(() => used() - before).toBeLessThan(size / 4)
  await incoming.drop()
})
