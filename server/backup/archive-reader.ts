import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Entry, extract } from 'tar-stream'
import { CannotStart } from '#server/cannot-start.ts'
import { migrations } from '#server/database/migrations.ts'
import {
  createDigest,
  type Ending,
  ending,
  explainArchiveProblem,
  FORMAT,
  type Manifest,
  manifest,
  type Part,
  part,
} from './archive-format.ts'
import type { Progress } from './progress.ts'

/** Far more than the largest part of an archive. */
const LARGEST = 256 * 1024 * 1024

/**
 * Yields the parts of an archive except the last, which it returns after verifying the digest. Throws CannotStart for a
 * truncated or damaged archive, possibly only at its end. Callers must not rely on the parts before then.
 */
export async function* readArchive(file: string): AsyncGenerator<Part, Ending> {
  const tar = extract()
  const unpacked = pipeline(createReadStream(file), createGunzip(), tar)
  unpacked.catch(() => undefined)
  const digest = createDigest()
  let end: Ending | undefined
  try {
    for await (const entry of tar) {
      const found = await readPart(entry, file)
      if (end) throw damaged(file)
      if (found.name === part.ending) {
        end = ending.parse(JSON.parse(found.bytes.toString()))
        if (end.digest !== digest.end()) throw damaged(file)
      } else {
        digest.add(found)
        yield found
      }
    }
    await unpacked
  } catch (error) {
    throw explain(error, file)
  }
  if (!end) throw damaged(file)
  return end
}

async function readPart(entry: Entry, file: string): Promise<Part> {
  const { name, size = 0 } = entry.header
  if (size > LARGEST) throw damaged(file)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return { name, bytes: Buffer.concat(chunks) }
}

/** File system errors have their own sentences. Any other read error means that the archive is damaged. */
function explain(error: unknown, file: string): unknown {
  const explained = explainArchiveProblem(error, file)
  return explained instanceof CannotStart ? explained : damaged(file, error)
}

const damaged = (file: string, cause?: unknown) =>
  new CannotStart(`${file} is no whole archive of Milepost: it was cut, damaged or never one.`, { cause })

/** Reads an entire archive and returns its manifest. Throws CannotStart if it is incomplete or of a newer Milepost. */
export async function verifyArchive(
  file: string,
  { progress, stop }: { progress: Progress; stop: AbortSignal },
): Promise<Manifest> {
  let first: Part | undefined
  for await (const one of readArchive(file)) {
    stop.throwIfAborted()
    first ??= one
    progress.passed(one.bytes.length)
  }
  return readManifest(first, file)
}

function readManifest(first: Part | undefined, file: string): Manifest {
  const said: unknown = first?.name === part.manifest ? JSON.parse(first.bytes.toString()) : undefined
  const version = said instanceof Object && 'milepost' in said ? String(said.milepost) : 'another version'
  const format = said instanceof Object && 'format' in said ? Number(said.format) : 0
  if (format > FORMAT) throw newer(version, `its form is ${format}`)
  const read = manifest.safeParse(said)
  if (!read.success) throw new CannotStart(`${file} is no archive of Milepost.`, { cause: read.error })
  if (!migrations.includes(read.data.migration))
    throw newer(version, `it has the change "${read.data.migration}"`)
  return read.data
}

const newer = (version: string, why: string) =>
  new CannotStart(
    `The archive was made by a newer Milepost, ${version} (${why}): install that version or a later one.`,
  )
