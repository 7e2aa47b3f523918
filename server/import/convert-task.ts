import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { FileLimits } from '#contract/files.ts'
import { type Archive, type ArchiveItem, copyItem, type Opened, openArchive, readText } from './archive.ts'
import { converterOf } from './converters.ts'
import { distinct } from './converting/distinct.ts'
import { embeddedAt, WITH_PICTURES_MAX } from './converting/embedded.ts'
import { recognize } from './detect.ts'
import { type Problems, Refused, type Source } from './items.ts'
import { writeLines } from './lines.ts'

export type ConvertTask = Opened &
  (
    | { as: 'items'; to: string; zone: string; limits: FileLimits }
    | { as: 'file'; to: string; at: number; max: number; embedded?: number }
  )

/** `source`: what the archive was recognized as; absent for a single file. */
export type Converted = { source?: Source; problems: Problems } | { refused: string }

let last: { file: string; archive: Archive } | undefined

/** Converts an archive, or takes a file out of it, in a child process of the lowest priority. */
export default function convertTask(task: ConvertTask): Promise<Converted> {
  setPriority(constants.priority.PRIORITY_LOW)
  return convertHere(task)
}

/** Does so in this process. */
export async function convertHere(task: ConvertTask): Promise<Converted> {
  try {
    const archive = await opened(task)
    if (task.as === 'file') {
      const item = archive.items[task.at]
      if (!item) throw new Refused('it is not in the archive any more')
      if (task.embedded === undefined) await copyItem(item, task.to, task.max)
      else await writeEmbedded(item, task.embedded, task.to)
      return { problems: [] }
    }
    const { source, files } = await recognize(archive)
    const { problems } = archive
    const { name, zone, limits, to, room } = task
    const convert = await converterOf[source]()
    const items = convert({ archive, files, name, zone, limits, problems })
    await writeLines(to, distinct(items, problems), room)
    return { source, problems: problems.list() }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    // Compressed bytes that are damaged.
    if (task.as === 'file' && error instanceof Error) return { refused: `it is damaged (${error.message})` }
    throw error
  }
}

/** Writes a picture that is in a text to a path that the server has chosen. */
async function writeEmbedded(item: ArchiveItem, index: number, to: string): Promise<void> {
  const bytes = embeddedAt(await readText(item, WITH_PICTURES_MAX), index)
  if (!bytes) throw new Refused('it is not in the archive any more')
  await writeFile(to, bytes, { mode: 0o600 })
}

async function opened(task: Opened): Promise<Archive> {
  const { file } = task
  if (last?.file === file) return last.archive
  last?.archive.close()
  last = undefined
  const archive = await openArchive(task)
  last = { file, archive }
  return archive
}
