import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { FileKind } from '#contract/files.ts'
import { dateImported } from '#server/files/importing.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { listFiles, reserveFiles } from '#server/files/service.ts'
import { uploadFile } from '#server/files/upload.ts'
import { kindOfName } from '#server/import/converting/documents.ts'
import type { FileItem } from '#server/import/items.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import { isPassing, type Progress } from './progress.ts'
import { insertItems, removeItems } from './store.ts'

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

type Text = { content: string; cover?: string | null }

/** Returns the refs of the files of the archive that a text may show, each as often as it does. */
export const filesIn = ({ files }: Progress, content: string): string[] =>
  (content.match(UUID) ?? []).filter((ref) => files.has(ref))

/** Returns the refs of the files of the archive that a text may show, or has as its cover. */
export const refsOf = (progress: Progress, { content, cover }: Text): string[] => [
  ...new Set([...filesIn(progress, content), ...(cover && progress.files.has(cover) ? [cover] : [])]),
]

/** Stores the files that a text shows, and its cover. */
export async function storeFilesOf(progress: Progress, text: Text, projectId: string): Promise<void> {
  for (const ref of refsOf(progress, text)) await storeFile(progress, ref, projectId)
}

/** Returns a text with the ids that things have here. */
export const withTargets = ({ targets }: Progress, content: string): string =>
  content.replace(UUID, (ref) => (targets.has(ref) ? targets.idOf(ref) : ref))

/** Stores a file of the archive, once; returns false, with the reason in the report, if that is not possible. */
export function storeFile(progress: Progress, ref: string, projectId: string): Promise<boolean> {
  const item = progress.files.get(ref)
  return item ? storeItem(progress, item, projectId) : Promise.resolve(false)
}

/** The same, for a file that need not be in the archive. */
export function storeItem(progress: Progress, item: FileItem, projectId: string): Promise<boolean> {
  const { storing, stored, pictures, made } = progress
  const { ref } = item
  const known = storing.get(ref)
  if (known) return known
  const begun = storeNewFile(progress, item, projectId).then((kind) => {
    if (kind === null) return false
    stored.add(ref)
    if (kind === 'image') pictures.add(ref)
    made.files += 1
    return true
  })
  storing.set(ref, begun)
  return begun
}

/** Returns what kind of file it turned out to be; null if it could not be stored. */
async function storeNewFile(progress: Progress, item: FileItem, projectId: string): Promise<FileKind | null> {
  const { deps, caller, importId, targets, problems, extract } = progress
  const id = targets.idOf(item.ref)
  const own = { id, uploaderId: caller.userId }
  const [ready] = targets.isMade(item.ref) ? await listFiles(deps, caller, projectId, [id]) : []
  if (ready?.state === 'ready') {
    await dateImported(deps.db, own, item)
    return ready.kind
  }
  const to = incomingFile(deps.files.incoming)
  let { name, size } = item
  try {
    const taken = await extract(item, to)
    if ('refused' in taken) {
      problems.add(taken.refused, item.path)
      return null
    }
    await insertItems(deps.db, importId, [{ item, id }])
    name = taken.name ?? name
    size = taken.size ?? size
    const reservation = { files: [{ _id: id, name: name.slice(-255), size, type: TYPES[kindOfName(name)] }] }
    await reserveFiles(deps, caller, projectId, reservation, unrepeated)
    const { kind } = await uploadFile(deps, caller, id, createReadStream(to))
    progress.uploaded += 1
    await dateImported(deps.db, own, item)
    return kind
  } catch (error) {
    if (!(error instanceof AppError) || isPassing(error) || error.code === 'quota_exceeded') throw error
    // It is not the file of this import.
    if (error.code === 'id_taken') await removeItems(deps.db, importId, [id])
    problems.add(withoutName(error.message, name), item.path)
    return null
  } finally {
    await rm(to, { force: true })
  }
}

const withoutName = (message: string, name: string) => message.replaceAll(`“${name}”`, 'it')

const TYPES = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/mpeg', other: '' } satisfies Record<
  FileKind,
  string
>
