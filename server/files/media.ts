import type { AppDeps } from '#server/deps.ts'
import { may } from '#server/permissions/access.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import type { ByteRange, StoredFile } from '#server/platform/storage/files.ts'
import { findProjectsOfFile, findProjectsOfHistory, isInTrash } from './access-store.ts'
import type { SignedParams } from './links.ts'
import { cardVariant, mainVariant } from './present.ts'
import { type FileVariant, fileKey, variantsOf } from './storage-keys.ts'
import { type FileRecord, findFile } from './store.ts'

/** A readable file, and the remaining seconds of its signed URL: 0 for public files. */
export type Readable = { file: FileRecord; secondsLeft: number }

/**
 * Requires that the reader of the signed link, or everybody, may read a file now, because something that they may view uses it,
 * because a revision uses it and they may edit, or because they uploaded it to a project that they may view. Throws
 * `not_found`.
 */
export async function requireReadable(
  { db, links }: AppDeps,
  id: string,
  signed: SignedParams | null,
): Promise<Readable> {
  const secondsLeft = signed ? links.secondsLeft(id, signed) : 0
  const reader = signed && secondsLeft > 0 ? { userId: signed.reader } : null
  const file = await findReadyFile(db, id)
  const projects = await findProjectsOfFile(db, id, reader?.userId ?? null)
  const isOwn = reader !== null && file.uploader_id === reader.userId
  const own = isOwn && !(await isInTrash(db, id)) && file.project_id
  for (const projectId of [...(own ? [own] : []), ...projects])
    if (await may(db, reader, 'project:view', projectId)) return { file, secondsLeft }
  // Files that only revisions use can be read only by people who may restore those revisions.
  const earlier = reader ? await findProjectsOfHistory(db, id, reader.userId) : []
  for (const projectId of earlier)
    if (await may(db, reader, 'content:edit', projectId)) return { file, secondsLeft }
  throw notFound('File')
}

/** Returns a file that can be read. Throws `not_found`. */
export async function findReadyFile(db: AppDeps['db'], id: string): Promise<FileRecord> {
  const file = await findFile(db, id)
  if (file?.state !== 'ready') throw notFound('File')
  return file
}

/** Returns the public URL of a file, given the id in texts. Throws `not_found`. */
export async function findPublicURL(deps: AppDeps, id: string): Promise<string> {
  const { file } = await requireReadable(deps, id, null)
  return deps.links.open(id, mainVariant(file))
}

/** The headers of a file variant. */
export type VariantHeaders = { type: string; disposition: string; size: number | null }

/** Throws `not_found` for a variant that the file does not have. */
export function variantHeaders(file: FileRecord, variant: FileVariant): VariantHeaders {
  if (!variantsOf(file).includes(variant)) throw notFound('File')
  const isOriginal = variant === 'original'
  const isInline = file.kind !== 'other'
  const name = isOriginal || file.name.endsWith('.webp') ? file.name : `${file.name}.webp`
  return {
    type: isOriginal ? file.type : 'image/webp',
    disposition: `${isInline ? 'inline' : 'attachment'}; ${fileNameOf(name)}`,
    // Only originals support ranges: media that is played, and large downloads. That of a former image has no known size.
    size: isOriginal && file.attempt > 0 ? file.size : null,
  }
}

/** Encodes a file name as in RFC 6266: in ASCII for old clients, and unchanged. */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Opens a cover in the size of cards, for anybody who may view its entry or project. Throws `not_found` or `unavailable`. */
export async function openCover(deps: AppDeps, id: string): Promise<StoredFile> {
  const file = await findReadyFile(deps.db, id)
  return openFile(deps, file, cardVariant(file.widths), undefined)
}

/** Opens a variant of a file, or a range of it, after `requireReadable`. Throws `not_found` or `unavailable`. */
export async function openFile(
  { files, log }: AppDeps,
  file: FileRecord,
  variant: FileVariant,
  part: ByteRange | undefined,
): Promise<StoredFile> {
  const stored = await files.read(fileKey(file, variant), part).catch((error: unknown) => {
    log.error({ err: error }, 'a file could not be read')
    throw new AppError('unavailable', 'The file cannot be read right now', { retryAfter: 10 })
  })
  if (!stored) {
    log.warn({ key: fileKey(file, variant) }, 'a file is missing from the storage')
    throw notFound('File')
  }
  return stored
}
