import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { Upload } from '#server/platform/api/uploads.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import { formatOfFile, isPicture } from './inspection/formats.ts'
import { giveUpFiles } from './removal-store.ts'
import { reserveFiles } from './service.ts'
import { uploadFile } from './upload.ts'

/**
 * Stores the image of a form as a file of the project, and passes its id to `save`, whose transaction must make it the cover of an
 * entry. Otherwise the file is removed. Throws `not_an_image`, and the errors of reserving and uploading a file.
 */
export async function withFormImage<T>(
  deps: AppDeps,
  caller: Caller,
  milestoneId: string,
  upload: Upload | null,
  save: (coverFile: string | undefined) => Promise<T>,
): Promise<T> {
  if (!upload) return save(undefined)
  const { projectId } = await requireAccess(deps.db, caller, 'content:edit', { milestoneId })
  const fileId = await reserve(deps, caller, projectId, upload)
  try {
    await store(deps, caller, fileId, upload)
    return await save(fileId)
  } finally {
    await giveUpFiles(deps.db, [fileId]).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'an unused image could not be removed yet')
    })
  }
}

/** The name of the file on the sender's disk would be shown to the readers of the entry. */
async function reserve(deps: AppDeps, caller: Caller, projectId: string, { path }: Upload): Promise<string> {
  const format = await formatOfFile(path)
  if (!isPicture(format)) throw notAnImage()
  const { size } = await stat(path)
  const files = [{ name: `image.${format}`, size, type: `image/${format}` }]
  const [reserved] = await reserveFiles(deps, caller, projectId, { files }, unrepeated)
  if (!reserved) throw new Error('a file was not reserved')
  return reserved._id
}

async function store(deps: AppDeps, caller: Caller, fileId: string, { path }: Upload): Promise<void> {
  const { kind } = await uploadFile(deps, caller, fileId, createReadStream(path)).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'unsupported_media' ? notAnImage(error) : error
  })
  if (kind !== 'image') throw notAnImage()
}

function notAnImage(cause?: unknown): AppError {
  const message = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF'
  return Object.assign(new AppError('not_an_image', message), { cause })
}
