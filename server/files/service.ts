import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { FileKind, FileLimits, FilesReservation, ProjectFile } from '#contract/files.ts'
import { limitOf, tooLargeText } from '#contract/parts/sizes.ts'
import { changeUnseen } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, conflict, notFound } from '#server/platform/api/errors.ts'
import {
  type Change,
  derivedId,
  firstChanges,
  idTaken,
  isAnyTaken,
} from '#server/platform/changes/changes.ts'
import { listFilesOfProject } from './access-store.ts'
import { presentFile, urlsFor } from './present.ts'
import { giveUpFiles } from './removal-store.ts'
import { countWaiting, findFile, insertFiles, listFilesOfUploader } from './store.ts'

export type FileDeps = Pick<
  AppDeps,
  'db' | 'events' | 'files' | 'inspector' | 'fileSettings' | 'links' | 'quotas' | 'log' | 'clock'
>

/** The maximum number of files that a person may have reserved without uploading them. */
const WAITING_MAX = 1_000

/**
 * Reserves files in a project, except those that the caller has reserved before with the same ids. Their sizes immediately count
 * towards the quota. Throws `not_found`, `forbidden`,
 * `quota_exceeded`, `id_taken`, `too_large` for a file beyond the limit of its kind, or `too_many_requests`.
 */
export async function reserveFiles(
  deps: FileDeps,
  caller: Caller,
  projectId: string,
  { files }: FilesReservation,
  change: Change,
): Promise<ProjectFile[]> {
  const reserved = files.map(({ _id, name, size, type }, index) => {
    const derived = change.newId === null ? uuidv7() : derivedId(change.newId, String(index))
    const file = {
      id: _id ?? derived,
      name: cleanName(name),
      kind: declaredKind(type),
      type: declaredType(type),
      size,
    }
    requireSize(file, deps.fileSettings.fileLimits)
    return file
  })
  const urlOf = urlsFor(deps, caller)
  return changeUnseen(deps, caller, 'content:edit', { projectId }, async (trx) => {
    const before = await findReserved(trx, caller, reserved)
    const added = reserved.filter(({ id }) => !before.has(id))
    const first = [...before.values()][0]
    if (first && added.length === 0) {
      change.wasDone(first)
      return reserved.flatMap(({ id }) => before.get(id) ?? []).map((row) => presentFile(row, urlOf))
    }
    if ((await countWaiting(trx, caller.userId)) + added.length > WAITING_MAX)
      throw new AppError('too_many_requests', 'Too many of your files are waiting to be uploaded.', {
        retryAfter: 3_600,
      })
    const common = { projectId, uploaderId: caller.userId, changes: firstChanges(change), now: deps.clock() }
    const rows = new Map((await insertFiles(trx, common, added)).map((row) => [row.id, row]))
    if (rows.size < added.length) throw idTaken()
    return reserved
      .flatMap(({ id }) => before.get(id) ?? rows.get(id) ?? [])
      .map((row) => presentFile(row, urlOf))
  })
}

/** Returns those files that the caller has reserved before. Throws `id_taken` if something else has the id of one. */
async function findReserved(trx: Transaction<Schema>, { userId }: Caller, files: { id: string }[]) {
  const ids = files.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw idTaken()
  const found = new Map((await listFilesOfUploader(trx, userId, ids)).map((row) => [row.id, row]))
  const others = ids.filter((id) => !found.has(id))
  if (await isAnyTaken(trx, others)) throw idTaken()
  return found
}

/**
 * Misleading or dangerous characters of file names: control characters, directional marks, path separators; not those that join
 * letters of Persian and Hindi, or the parts of an emoji.
 */
const misleading = /(?:[\p{Cc}\p{Zl}\p{Zp}/\\]|(?![\u200c\u200d])\p{Cf})+/gu

const cleanName = (name: string) => name.replace(misleading, ' ').trim() || 'file'

const type = /^(image|video|audio)\/[a-z\d][a-z\d.+-]{0,60}$/

/** The kind of a file according to the browser, until its content is inspected. */
function declaredKind(declared: string): FileKind {
  const kind = type.exec(declared.toLowerCase())?.[1]
  return kind === undefined || declared.toLowerCase().startsWith('image/svg') ? 'other' : (kind as FileKind)
}

const declaredType = (declared: string) =>
  declaredKind(declared) === 'other' ? 'application/octet-stream' : declared.toLowerCase()

function requireSize(
  { name, size, kind }: { name: string; size: number; kind: FileKind },
  limits: FileLimits,
) {
  const limited = limitOf[kind]
  // A browser that does not know a video's type sends none. The inspection finds out.
  const max = kind === 'other' ? Math.max(limits.other, limits.video) : limits[limited]
  if (size > max) throw new AppError('too_large', tooLargeText(name, limited, limits[limited]))
}

/** Returns those of the given files that the caller may see in a project. Throws `not_found` for a project that they may not view. */
export function listFiles(
  deps: FileDeps,
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
export async function deleteFile(deps: FileDeps, caller: Caller, fileId: string): Promise<void> {
  const file = await findFile(deps.db, fileId)
  if (!file?.project_id || file.uploader_id !== caller.userId) throw notFound('File')
  const { project_id: projectId } = file
  await changeUnseen(deps, caller, 'content:edit', { projectId }, async (trx) => {
    if ((await giveUpFiles(trx, [fileId])).length === 0)
      throw conflict(`“${file.name}” is used by an entry; remove it there first`)
  })
}
