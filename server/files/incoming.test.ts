import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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

it('an upload that stalls is aborted, leaves nothing, and keeps its connection for the response', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const bytes = new Readable({ read() {} })
  bytes.push(Buffer.alloc(10))
  const received = receive(bytes, 'ada', expected, { folder, log })
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
