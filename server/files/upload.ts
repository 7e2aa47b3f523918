import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ProjectFile } from '#contract/files.ts'
import { limitOf, tooLargeText } from '#contract/parts/sizes.ts'
import { changeUnseen } from '#server/change-project.ts'
import { OutcomeUnknown } from '#server/database/outage.ts'
import { requireAccess } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { isDiskFull } from '#server/platform/disk.ts'
import { findProjectsOfFile } from './access-store.ts'
import { receive } from './incoming.ts'
import type { Inspected } from './inspection/inspect-task.ts'
import { presentFile, urlsFor } from './present.ts'
import type { FileDeps } from './service.ts'
import { FILE_VARIANTS, type FileVariant, fileKey, UPLOAD_TYPE, variantsOf } from './storage-keys.ts'
import { beginAttempt, completeFile, type FileRecord, findFile } from './store.ts'

/**
 * Receives the bytes of a file that the caller has reserved: writes them to the disk, has a child process inspect them, and
 * moves them to the file store. A ready file is not changed, and its bytes are not read again. Throws `not_found`, `forbidden`,
 * `too_large`, `unsupported_media`, `invalid`, `quota_exceeded`, and `too_many_requests` or `unavailable` if too much is sent.
 */
export async function uploadFile(
  deps: FileDeps,
  caller: Caller,
  fileId: string,
  bytes: Readable,
): Promise<ProjectFile> {
  const reserved = await requireReserved(deps, caller, fileId)
  // Its size is that of the stored file, which may differ from the declared one.
  if (reserved.state === 'ready') return presentFile(reserved, urlsFor(deps, caller))
  const { fileLimits: limits, pixelsMax } = deps.fileSettings
  const incoming = await receive(
    bytes,
    clientOf(caller),
    { name: reserved.name, size: reserved.size, limits },
    { folder: deps.files.incoming, log: deps.log },
  )
  try {
    const task = { file: incoming.file, name: reserved.name, pixelsMax }
    const found = await deps.inspector.upload(task, clientOf(caller))
    // A container of videos need not contain one, and a picture may only be offered for download.
    const limited = limitOf[found.kind]
    if (reserved.size > limits[limited])
      throw new AppError('too_large', tooLargeText(reserved.name, limited, limits[limited]))
    const file = presentFile(await store(deps, caller, reserved, incoming.file, found), urlsFor(deps, caller))
    return found.notice === undefined ? file : { ...file, notice: found.notice }
  } finally {
    await incoming.drop()
  }
}

/** A file and its project, in which the caller may still write. */
type Reserved = FileRecord & { project_id: string }

async function requireReserved({ db }: FileDeps, caller: Caller, fileId: string): Promise<Reserved> {
  const file = await findFile(db, fileId)
  const projectId = file?.project_id
  if (!file || !projectId || file.uploader_id !== caller.userId) throw notFound('File')
  await requireAccess(db, caller, 'content:edit', { projectId })
  return { ...file, project_id: projectId }
}

async function store(
  deps: FileDeps,
  caller: Caller,
  reserved: Reserved,
  file: string,
  found: Inspected,
): Promise<FileRecord> {
  const { id } = reserved
  const attempt = await beginAttempt(deps.db, id)
  const row =
    attempt === undefined ? undefined : await storeAttempt(deps, caller, reserved, file, found, attempt)
  // Another attempt finished first.
  const current = row ?? (await findFile(deps.db, id))
  if (!current) throw notFound('File')
  return current
}

async function storeAttempt(
  deps: FileDeps,
  caller: Caller,
  { id, name }: Reserved,
  file: string,
  found: Inspected,
  attempt: number,
): Promise<FileRecord | undefined> {
  const { widths = [], animated = false } = found
  const variants = variantsOf({ widths, animated, type: found.type })
  try {
    const bytes = await putVariants(deps, { id, attempt, name }, file, variants)
    const row = await complete(deps, caller, id, {
      kind: found.kind,
      type: found.type,
      size: found.size,
      bytes,
      width: found.width ?? null,
      height: found.height ?? null,
      animated,
      taken_at: found.takenAt ?? null,
      blur: found.blur ?? null,
      tint: found.tint ?? null,
      widths,
      attempt,
    })
    if (!row) await removeAttempt(deps, { id, attempt })
    return row
  } catch (error) {
    // If the outcome is unknown the bytes remain. If the file is not ready, they are removed together with it.
    if (!(error instanceof OutcomeUnknown)) await removeAttempt(deps, { id, attempt })
    throw error
  }
}

/** Makes a file ready in its current project, because an entry that shows it may have been moved meanwhile. */
async function complete(
  deps: FileDeps,
  caller: Caller,
  id: string,
  ready: Parameters<typeof completeFile>[3],
): Promise<FileRecord | undefined> {
  for (;;) {
    const file = await findFile(deps.db, id)
    if (file?.state !== 'waiting' || file.project_id === null) return undefined
    const projectId = file.project_id
    const row = await changeUnseen(
      deps,
      caller,
      'content:edit',
      { projectId },
      async (trx, _access, publish) => {
        // Nobody else learns of a file before an entry that they see shows it.
        if ((await findProjectsOfFile(trx, id, null)).length > 0) publish({ project: projectId })
        return completeFile(trx, id, projectId, ready)
      },
    )
    if (row) return row
  }
}

/** Stores all variants and returns their total size. */
async function putVariants(
  { files, log }: FileDeps,
  { name, ...stored }: { id: string; attempt: number; name: string },
  file: string,
  variants: FileVariant[],
): Promise<number> {
  let bytes = 0
  try {
    for (const variant of variants) {
      const from = variant === 'original' ? file : `${file}.${variant}`
      bytes += (await stat(from)).size
      await files.putFile(fileKey(stored, variant), from, UPLOAD_TYPE)
    }
    return bytes
  } catch (error) {
    if (isDiskFull(error)) throw error
    log.error({ err: error }, 'a file could not be stored')
    throw new AppError(
      'unavailable',
      `“${name}” could not be stored right now. Please try again in a moment.`,
      {
        retryAfter: 10,
      },
    )
  }
}

/** Removes the bytes of an attempt. If that fails, they are removed with the file, which counts its attempts. */
async function removeAttempt({ files, log }: FileDeps, stored: { id: string; attempt: number }) {
  for (const variant of FILE_VARIANTS)
    await files.remove(fileKey(stored, variant)).catch((error: unknown) => {
      log.warn({ err: error }, 'a part of a file could not be removed yet')
    })
}
