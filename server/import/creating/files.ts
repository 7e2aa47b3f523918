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

/** Returns the refs of the files of the archive that a text may show, or has as its cover. */
export const refsOf = ({ files }: Progress, { content, cover }: Text): string[] =>
  [...new Set([...(content.match(UUID) ?? []), ...(cover ? [cover] : [])])].filter((ref) => files.has(ref))

/** Stores the files that a text shows, and its cover. */
export async function storeFilesOf(progress: Progress, text: Text, projectId: string): Promise<void> {
  for (const ref of refsOf(progress, text)) await storeFile(progress, ref, projectId)
}

/** Returns a text with the ids that things have here. */
export const withTargets = ({ targets }: Progress, content: string): string =>
  content.replace(UUID, (ref) => (targets.has(ref) ? targets.idOf(ref) : ref))

/** Stores a file of the archive, once; returns false, with the reason in the report, if that is not possible. */
export function storeFile(progress: Progress, ref: string, projectId: string): Promise<boolean> {
  const { files, storing, stored, made } = progress
  const item = files.get(ref)
  if (!item) return Promise.resolve(false)
  const known = storing.get(ref)
  if (known) return known
  const begun = storeNewFile(progress, item, projectId).then((isStored) => {
    if (isStored) {
      stored.add(ref)
      made.files += 1
    }
    return isStored
  })
  storing.set(ref, begun)
  return begun
}

async function storeNewFile(progress: Progress, item: FileItem, projectId: string): Promise<boolean> {
  const { deps, caller, importId, targets, problems, extract } = progress
  const id = targets.idOf(item.ref)
  const own = { id, uploaderId: caller.userId }
  const [ready] = targets.isMade(item.ref) ? await listFiles(deps, caller, projectId, [id]) : []
  if (ready?.state === 'ready') {
    await dateImported(deps.db, own, item)
    return true
  }
  const to = incomingFile(deps.files.incoming)
  let { name, size } = item
  try {
    const taken = await extract(item, to)
    if ('refused' in taken) {
      problems.add(taken.refused, item.path)
      return false
    }
    await insertItems(deps.db, importId, [{ item, id }])
    name = taken.name ?? name
    size = taken.size ?? size
    const reservation = { files: [{ _id: id, name: name.slice(-255), size, type: TYPES[kindOfName(name)] }] }
    await reserveFiles(deps, caller, projectId, reservation, unrepeated)
    await uploadFile(deps, caller, id, createReadStream(to))
    await dateImported(deps.db, own, item)
    return true
  } catch (error) {
    if (!(error instanceof AppError) || isPassing(error) || error.code === 'quota_exceeded') throw error
    // It is not the file of this import.
    if (error.code === 'id_taken') await removeItems(deps.db, importId, [id])
    problems.add(withoutName(error.message, name), item.path)
    return false
  } finally {
    await rm(to, { force: true })
  }
}

const withoutName = (message: string, name: string) => message.replaceAll(`“${name}”`, 'it')

const TYPES = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/mpeg', other: '' } satisfies Record<
  FileKind,
  string
>
