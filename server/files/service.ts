import { v7 as uuidv7 } from 'uuid'
import type { FileKind, FileLimits, FilesReservation, ProjectFile } from '#contract/files.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps, CreatingDeps } from '#server/deps.ts'
import { changeProject, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import { listFilesOfProject } from './access-store.ts'
import { presentFile, urlsFor } from './present.ts'
import { giveUpFile } from './removal-store.ts'
import { type Limited, tooLarge } from './settings.ts'
import { countWaiting, findFile, insertFiles } from './store.ts'

/** The maximum number of files that a person may have reserved without uploading them. */
const WAITING_MAX = 1_000

/**
 * Reserves files in a project. Their sizes immediately count towards the quota. Throws `not_found`, `forbidden`,
 * `quota_exceeded`, `too_large` for a file beyond the limit of its kind, or `too_many_requests`.
 */
export async function reserveFiles(
  deps: CreatingDeps,
  caller: Caller,
  projectId: string,
  { files }: FilesReservation,
): Promise<ProjectFile[]> {
  const reserved = files.map(({ name, size, type }) => {
    const file = {
      id: uuidv7(),
      name: cleanName(name),
      kind: declaredKind(type),
      type: declaredType(type),
      size,
    }
    requireSize(file, deps.fileSettings.fileLimits)
    return file
  })
  const urlOf = urlsFor(deps, caller)
  return changeProject(deps, caller, 'content:edit', { projectId }, async (trx) => {
    if ((await countWaiting(trx, caller.userId)) + reserved.length > WAITING_MAX)
      throw new AppError('too_many_requests', 'Too many of your files are waiting to be uploaded.', {
        retryAfter: 3_600,
      })
    const common = { projectId, uploaderId: caller.userId, now: deps.clock() }
    const rows = await insertFiles(trx, common, reserved)
    return rows.map((row) => presentFile(row, urlOf))
  })
}

/** Misleading or dangerous characters of file names: control characters, directional marks, path separators. */
const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu

const cleanName = (name: string) => name.replace(misleading, ' ').trim() || 'file'

const type = /^(image|video|audio)\/[a-z\d][a-z\d.+-]{0,60}$/

/** The kind of a file according to the browser, until its content is inspected. */
function declaredKind(declared: string): FileKind {
  const kind = type.exec(declared.toLowerCase())?.[1]
  return kind === undefined || declared.toLowerCase().startsWith('image/svg') ? 'other' : (kind as FileKind)
}

const declaredType = (declared: string) =>
  declaredKind(declared) === 'other' ? 'application/octet-stream' : declared.toLowerCase()

const LIMITED: Record<FileKind, Limited> = {
  image: 'picture',
  video: 'video',
  audio: 'video',
  other: 'other',
}

function requireSize(
  { name, size, kind }: { name: string; size: number; kind: FileKind },
  limits: FileLimits,
) {
  const limited = LIMITED[kind]
  // A browser that does not know a video's type sends none. The inspection finds out.
  const max = kind === 'other' ? Math.max(limits.other, limits.video) : limits[limited]
  if (size > max) throw new AppError('too_large', tooLarge(name, limited, limits))
}

/** Returns those of the given files that the caller may see in a project. Throws `not_found` for a project that they may not view. */
export function listFiles(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
  ids: string[],
): Promise<ProjectFile[]> {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'project:view', { projectId })
    const rows = await listFilesOfProject(db, projectId, caller?.userId ?? null, ids)
    const urlOf = urlsFor(deps, caller)
    return rows.map((row) => presentFile(row, urlOf))
  })
}

/** Deletes an unused file of the caller. Throws `not_found` for another person's, and `conflict` while it is used. */
export async function deleteFile(deps: AppDeps, caller: Caller, fileId: string): Promise<void> {
  const file = await findFile(deps.db, fileId)
  if (!file?.project_id || file.uploader_id !== caller.userId) throw notFound('File')
  const { project_id: projectId } = file
  await changeProject(deps, caller, 'content:edit', { projectId }, async (trx) => {
    if (!(await giveUpFile(trx, fileId)))
      throw conflict(`“${file.name}” is used by an entry; remove it there first`)
  })
}
