import type { ProjectFile } from '#contract/files.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import type { RejectedFile, Transport } from './upload.ts'

/** The number of files that one call reserves. */
const RESERVATIONS_PER_CALL = 100

/** Reserves files. Returns the files that the server reserved, in their order, and those that it refused. */
export async function reserveFiles(
  transport: Transport,
  projectId: string,
  files: readonly File[],
): Promise<{ reserved: [File, ProjectFile][]; rejected: RejectedFile[] }> {
  const reserved: [File, ProjectFile][] = []
  const rejected: RejectedFile[] = []
  for (let from = 0; from < files.length; from += RESERVATIONS_PER_CALL) {
    const some = files.slice(from, from + RESERVATIONS_PER_CALL)
    reserved.push(...(await reserveTogether(transport, projectId, some, rejected)))
  }
  return { reserved, rejected }
}

/**
 * Reserves files in one call, and adds those that the server refuses to `rejected`. If it refuses the whole request, each half is
 * reserved separately, to find the files that cause it.
 */
async function reserveTogether(
  transport: Transport,
  projectId: string,
  files: readonly File[],
  rejected: RejectedFile[],
): Promise<[File, ProjectFile][]> {
  try {
    const reserved: unknown = await transport.reserve(projectId, files)
    if (!isOfFiles(reserved, files)) throw unreachable(new Error('another response than that of the server'))
    return files.flatMap((file, index) => (reserved[index] ? [[file, reserved[index]]] : []))
  } catch (error) {
    if (!isAboutFiles(error)) throw error
    const [only] = files
    if (files.length === 1 && only) {
      const message = nameFile(only.name, error.message)
      rejected.push({ name: only.name, message, ...(isAboutQuota(error) && { file: only }) })
      return []
    }
    const half = Math.ceil(files.length / 2)
    const first = await reserveTogether(transport, projectId, files.slice(0, half), rejected)
    return [...first, ...(await reserveTogether(transport, projectId, files.slice(half), rejected))]
  }
}

const isOfFiles = (body: unknown, files: readonly File[]): body is ProjectFile[] =>
  Array.isArray(body) && body.length === files.length

/** Whether a reservation was refused because of its files, so that a part of them may be accepted. */
function isAboutFiles(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.isFromServer &&
    (error.status === 400 || error.status === 413 || error.status === 415)
  )
}

/** Whether a file was refused because the storage quota is exceeded, which may change. */
export const isAboutQuota = (error: ApiError) => error.code === 'quota_exceeded'

/** Returns a message that names the file, which most of the server's messages already do. */
export const nameFile = (name: string, message: string) =>
  message.includes(name) ? message : `“${name}”: ${message}`
