import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { AppDeps } from '#server/deps.ts'
import { Refused } from './items.ts'

/** The key of a part of an archive in the file store, in which it waits until it was read. */
export const partKey = (importId: string, part: number): string => `imports/${importId}/${part}`

/** Joins the parts of an archive to a file. Throws Refused if one is gone. */
export async function joinParts(
  { files }: Pick<AppDeps, 'files'>,
  { id, parts }: { id: string; parts: number },
  to: string,
): Promise<void> {
  async function* bytes() {
    for (let part = 0; part < parts; part += 1) {
      const stored = await files.read(partKey(id, part))
      if (!stored) throw new Refused('A part of the archive is missing on this server. Import it again.')
      yield* stored.bytes as AsyncIterable<Buffer>
    }
  }
  await pipeline(bytes, createWriteStream(to, { flags: 'w', mode: 0o600 }))
}

/** Removes the parts of an archive from the file store. */
export async function removeParts(
  { files, log }: Pick<AppDeps, 'files' | 'log'>,
  { id, parts }: { id: string; parts: number },
): Promise<void> {
  for (let part = 0; part < parts; part += 1)
    await files.remove(partKey(id, part)).catch((error: unknown) => {
      log.warn({ err: error }, 'a part of an archive could not be removed')
    })
}
