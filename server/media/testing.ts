import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { derive } from '#server/identity/secrets.ts'
import { openFolder } from '#server/platform/files/folder.ts'
import { createLinks } from './links.ts'

/** A folder for images of a test's own, and links that it can make and check. */
export async function testMedia(clock: () => Date) {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-files-'))
  const secrets = { current: derive('a secret that signs links in the tests'), previous: null }
  return {
    files: await openFolder(folder),
    links: createLinks(secrets, clock),
    /** The names of all files that are kept. */
    kept: async () => {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    close: () => rm(folder, { recursive: true }),
  }
}
