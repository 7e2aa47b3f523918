import { Readable } from 'node:stream'
import type { AppDeps } from '#server/deps.ts'
import type { ZipEntry } from './zip.ts'

/** Files that are already compressed are not compressed again. */
const COMPRESSED =
  /\.(?:jpe?g|png|webp|gif|avif|heic|mp4|m4[av]|mov|webm|mp3|ogg|opus|zip|gz|7z|pdf|docx|xlsx|pptx|woff2?)$/i

export function textEntry(path: string, text: string, mtime: Date): ZipEntry {
  return bytesEntry(path, Buffer.from(text), mtime)
}

export const bytesEntry = (path: string, bytes: Buffer, mtime: Date): ZipEntry => ({
  path,
  mtime,
  size: bytes.length,
  bytes: Readable.from([bytes]),
  isCompressed: COMPRESSED.test(path),
})

type Stored = { path: string; key: string; mtime: Date }

/** Returns a file of the store; null if the store does not have it or does not give it, so that one lost file does not keep all others back. */
export async function fileEntry(
  deps: Pick<AppDeps, 'files' | 'log'>,
  { path, key, mtime }: Stored,
): Promise<ZipEntry | null> {
  const stored = await readUnlessMissing(deps, key)
  return stored && { ...stored, path, mtime, isCompressed: COMPRESSED.test(path) }
}

/** What a folder answers about a file that it has and does not give, as a bucket answers 403. */
const REFUSED = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP'])

async function readUnlessMissing({ files, log }: Pick<AppDeps, 'files' | 'log'>, key: string) {
  try {
    const stored = await files.read(key)
    if (!stored) log.warn({ key }, 'a file is missing from the storage')
    return stored
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && REFUSED.has(String(error.code)))) throw error
    log.warn({ err: error, key }, 'a file of the storage cannot be read')
    return null
  }
}
