import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

const directory = mkdtempSync(path.join(tmpdir(), 'milepost-private-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Shares of Windows, exFAT and some of NFS refuse links and rights. */
async function onDiskWithoutRights() {
  const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'EPERM' }))
  vi.doMock('node:fs/promises', async (load) => ({
    ...(await load<typeof import('node:fs/promises')>()),
    link: refuse,
    chmod: refuse,
  }))
  vi.resetModules()
  const module = await import('./private-file.ts')
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
  return module
}

test('a secret is made, and read again, on a disk without links and rights', async () => {
  const { readOrMakeSecret } = await onDiskWithoutRights()
  const file = path.join(directory, 'secret')
  const made = await Promise.all([readOrMakeSecret(file), readOrMakeSecret(file)])
  expect(new Set(made).size).toBe(1)
  writeFileSync(file, 'of a mount for all')
  chmodSync(file, 0o755)
  expect(await readOrMakeSecret(file)).toBe('of a mount for all')
  expect(statSync(file).mode & 0o777).toBe(0o755)
})
