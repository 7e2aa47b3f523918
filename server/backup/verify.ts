import { CannotStart } from '#server/cannot-start.ts'
import { migrations } from '#server/database/migrations.ts'
import { readArchive } from './archive-reader.ts'
import type { Part } from './digest.ts'
import { FORMAT, type Manifest, manifest, part } from './manifest.ts'
import type { Progress } from './progress.ts'

/**
 * Reads an archive from end to end and answers what it says of itself. Throws CannotStart for one that is not whole,
 * or of a newer Milepost.
 */
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
  if (!(read.data.migration in migrations)) throw newer(version, `it has the change "${read.data.migration}"`)
  return read.data
}

const newer = (version: string, why: string) =>
  new CannotStart(
    `The archive was made by a newer Milepost, ${version} (${why}): install that version or a later one.`,
  )
