import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from './secrets.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(tmpdir(), 'milepost-secret-')), 'data')
})
afterEach(() => rm(path.dirname(dataDir), { recursive: true, force: true }))

const load = (settings: { tokenSecret?: string; previousTokenSecret?: string } = {}) =>
  loadSecrets({ tokenSecret: undefined, previousTokenSecret: undefined, dataDir, ...settings })

test('the first start creates a secret that only its user may read, and later starts reuse it', async () => {
  const first = await load()
  const file = path.join(dataDir, 'token-secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readFile(file, 'utf8')).length).toBeGreaterThanOrEqual(43)
  expect(await load()).toEqual(first)
})

test('processes that start concurrently use the same secret', async () => {
  const loaded = await Promise.all(Array.from({ length: 10 }, () => load()))
  expect(new Set(loaded.map(({ current }) => current.id)).size).toBe(1)
})

test('the operator’s secret takes precedence over the file, and may have a predecessor', async () => {
  const [tokenSecret, previousTokenSecret] = ['the new secret '.repeat(3), 'the old secret '.repeat(3)]
  const both = await load({ tokenSecret, previousTokenSecret })
  expect(both.previous).toEqual((await load({ tokenSecret: previousTokenSecret })).current)
  await expect(stat(path.join(dataDir, 'token-secret'))).rejects.toThrow('ENOENT')
})

test('an invalid secret file makes the start fail with a message', async () => {
  await load()
  await writeFile(path.join(dataDir, 'token-secret'), 'cut')
  await expect(load()).rejects.toThrow(/no longer holds a whole secret/)
})

test.each([
  [
    'leads nowhere',
    '/nowhere/at/all',
    /No folder can be made at .*, or a link there leads to one that is gone/,
  ],
  ['leads to itself', 'data', /leads to itself/],
])('a link that %s makes the start fail with a message', async (_, target, message) => {
  await symlink(target, dataDir)
  await expect(load()).rejects.toThrow(message)
})

// The recursive mkdir of Node.js would not return, and the process could not be ended.
test.runIf(process.platform === 'linux')(
  'a folder below /proc makes the start fail with a message',
  async () => {
    dataDir = '/proc/milepost/data'
    await expect(load()).rejects.toThrow(/No folder can be made at/)
  },
)

test('an unusable folder makes the start fail with a message', async () => {
  await writeFile(dataDir, 'a file where a folder should be')
  await expect(load()).rejects.toThrow(/is a file, not a folder/)
})
