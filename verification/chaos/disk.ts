import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { createAccount } from '#testing/account.ts'
import { registerCleanup, withTemporaryDirectory } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { createJournal } from '#testing/journal.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, assertStatus, assertUnavailable } from './assertions.ts'
import { countEntries, entryForm, postEntryForm } from './entry-form.ts'

const run = promisify(execFile)
const SWEEP_MS = 30_000
/** A server counts a disk with less than 32 MB as full (`server/platform/disk.ts`), and would not get ready. */
const DISK_BYTES = 64_000_000

/** Fills the disk of images and uploads: uploads are refused clearly, no partial file remains, and everything else works. */
export async function disk(report: (text: string) => void): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return report('not run: a small disk can be mounted by root on Linux alone')
  await withTemporaryDirectory(async (folder) => {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'milepost-chaos', folder])
    const unmount = registerCleanup(() => run('umount', [folder]))
    try {
      const database = await startDatabase()
      try {
        await onSmallDisk(folder, database.url, report)
      } finally {
        await database.remove()
      }
    } finally {
      await unmount()
    }
  })
}

async function onSmallDisk(folder: string, databaseUrl: string, report: (text: string) => void) {
  const dataDir = path.join(folder, 'data')
  const temporary = path.join(folder, 'tmp')
  await Promise.all([mkdir(dataDir), mkdir(temporary)])
  const server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TMPDIR: temporary })
  try {
    const account = await createAccount(server.url)
    const journal = await createJournal(account)
    const image = await noise()
    const post = () => postEntryForm(server.url, account, journal, entryForm(image))
    await assertStatus(post(), 201, 'an image on a disk with room')
    const kept = await filesIn(folder)

    await fill(folder, 0)
    const upload = await assertUnavailable(post(), 'an upload to a full disk')
    await fill(folder, image.length + 200_000)
    const storing = await assertUnavailable(post(), 'an image that the disk has no room to store')
    await assertStatus(postEntryForm(server.url, account, journal, entryForm()), 201, 'text on a full disk')
    const partial = async () => (await filesIn(folder)).filter((file) => !kept.includes(file))
    let left = await partial()
    // The parts of an image that fit are removed a little later.
    for (const end = Date.now() + SWEEP_MS; left.length > 0 && Date.now() < end; await sleep(500))
      left = await partial()
    assert(left.length === 0, `parts of a refused image are left: ${left.join(', ')}`)
    assert((await countEntries(account, journal)) === 2, 'a refused entry is there')

    await fill(folder, DISK_BYTES)
    await assertStatus(post(), 201, 'an image once there is room again')
    report(
      `disk full: upload "${upload}", storing "${storing}"; nothing of them stayed, text was saved, and images again with room`,
    )
  } finally {
    await server.stop()
  }
}

/** Returns an incompressible picture with about as many bytes as the disk has free. */
async function noise(): Promise<Uint8Array<ArrayBuffer>> {
  const noisy = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 1000, height: 1000, channels: 3, background: 'grey', noise: noisy } as const
  return new Uint8Array(await sharp({ create }).png().toBuffer())
}

/** Fills the disk except for a number of bytes. */
async function fill(folder: string, spare: number) {
  const file = path.join(folder, 'filler')
  await rm(file, { force: true })
  const { stdout } = await run('stat', ['--file-system', '--format=%a %S', folder])
  const [blocks = 0, size = 0] = stdout.split(' ').map(Number)
  const bytes = blocks * size - spare
  if (bytes > 0) await writeFile(file, Buffer.alloc(bytes))
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const named = found.filter((entry) => entry.isFile()).map(({ name }) => name)
  return named.filter((name) => name !== 'filler' && name !== 'token-secret')
}
