import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, link, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { CannotStart } from '#server/cannot-start.ts'
import { flushFolder } from '#server/private-file.ts'
import { createDigest, type Ending, explainArchiveProblem, part } from './archive-format.ts'

export type ArchiveWriter = {
  /** Adds a part; resolves once there is room for the next one. */
  add(name: string, bytes: Buffer): Promise<void>
  /** Completes the archive and renames it to its final name. */
  finish(ending: Omit<Ending, 'digest'>): Promise<void>
  /** Deletes the temporary file; does nothing once the archive is finished. */
  abandon(): Promise<void>
}

/**
 * Begins an archive, a gzipped tar file that only its owner may read. It has a temporary name until it is complete and
 * flushed. Throws CannotStart if `file` exists or cannot be written.
 */
export async function createArchive(file: string): Promise<ArchiveWriter> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`
  const handle = await openDraft(file, draft)
  const tar = pack()
  const digest = createDigest()
  let settled = false
  const written = pipeline(
    tar,
    createGzip({ level: 4 }),
    createWriteStream(draft, { fd: handle, flush: true }),
  )
  const broken = written.then(() => new Promise<never>(() => {}))
  broken.catch(() => undefined)

  const put = (name: string, bytes: Buffer) =>
    new Promise<void>((resolve, reject) =>
      tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve())),
    )
  const explained = async (work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      throw explainArchiveProblem(error, file)
    }
  }
  return {
    async add(name, bytes) {
      digest.add({ name, bytes })
      await explained(Promise.race([put(name, bytes), broken]))
    },

    async finish(ending) {
      const text = JSON.stringify({ digest: digest.end(), ...ending } satisfies Ending)
      await explained(Promise.race([put(part.ending, Buffer.from(text)), broken]))
      tar.finalize()
      await explained(written)
      await explained(publish(draft, file))
      settled = true
    },

    async abandon() {
      if (settled) return
      settled = true
      tar.destroy()
      await written.catch(() => undefined)
      await rm(draft, { force: true })
    },
  }
}

async function openDraft(file: string, draft: string) {
  const there = await access(file).then(
    () => true,
    () => false,
  )
  if (there) throw alreadyThere(file)
  try {
    return await open(draft, 'wx', 0o600)
  } catch (error) {
    throw explainArchiveProblem(error, file)
  }
}

/** Unlike a rename, a hard link never replaces another file, but not every file system supports it. */
async function publish(draft: string, file: string) {
  try {
    await link(draft, file)
    await rm(draft)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST') throw alreadyThere(file)
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error
    await rename(draft, file)
  }
  await flushFolder(path.dirname(file))
}

const alreadyThere = (file: string) =>
  new CannotStart(`${file} is there already: name a file that is not, or move that one away.`)
