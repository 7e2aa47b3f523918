import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { type Converting, faultOfFile } from '#server/import/converting/documents.ts'
import { type FileItem, Refused } from '#server/import/items.ts'
import type { FileRecord } from './records.ts'

const MISSING = 'the archive does not have the file'
const CHANGED = 'it was damaged or changed since the archive was made: its checksum is another'
const SUMS_MAX = 50_000_000

/** Finds the files that records name, below a folder of the archive, and compares each with its checksum once. */
export async function createArchivedFiles({ archive, limits, problems }: Converting, base: string) {
  const indexOf = new Map(archive.items.map(({ path }, index) => [path, index]))
  const sums = await readSums(archive.items, base)
  /** Files by their ids, those that cannot come as null. Several texts and a cover may use one. */
  const files = new Map<string, FileItem | null>()
  const listed = new Set<FileItem>()
  /** By path: any number of records may name one file. */
  const damage = new Map<string, boolean>()

  async function isDamaged(item: ArchiveItem) {
    const expected = sums.get(item.path)
    const isOther = damage.get(item.path) ?? (expected !== undefined && (await checksumOf(item)) !== expected)
    damage.set(item.path, isOther)
    return isOther
  }

  const refused = (path: string) => (error: unknown) => {
    if (!(error instanceof Refused)) throw error
    problems.add(error.message, path)
    return undefined
  }

  async function fileOf(record: FileRecord, projectId: string): Promise<FileItem | null> {
    const at = indexOf.get(`${base}${record.path}`.normalize('NFC')) ?? -1
    const item = archive.items[at]
    if (!item) {
      problems.add(MISSING, record.path)
      return null
    }
    const fault = (await isDamaged(item)) ? CHANGED : faultOfFile(item, limits)
    if (fault !== undefined) {
      problems.add(fault, record.path)
      return null
    }
    const { _id: id, originalName, name, takenAt, createdAt } = record
    const { path, size } = item
    return {
      kind: 'file',
      key: id,
      ref: id,
      project: projectId,
      at,
      path,
      name: originalName ?? name,
      size,
      ...(takenAt !== undefined && { takenAt }),
      ...(createdAt !== undefined && { createdAt }),
    }
  }

  return {
    /** Returns the text of a file; undefined, with the reason in the report, if it cannot come. */
    async textOf(path: string, max: number): Promise<string | undefined> {
      const item = archive.items[indexOf.get(`${base}${path}`.normalize('NFC')) ?? -1]
      const fault = !item ? MISSING : (await isDamaged(item)) ? CHANGED : undefined
      if (item && fault === undefined) return readText(item, max).catch(refused(path))
      problems.add(fault ?? MISSING, path)
      return undefined
    },
    /** Reports a file whose checksum is another, but that comes nevertheless. */
    async reportDamage(item: ArchiveItem): Promise<void> {
      if (await isDamaged(item)) problems.add(`${CHANGED}, and comes as it is now`, item.path)
    },
    /** Returns the files that can come, and those of them that were not returned before. */
    async of(records: FileRecord[], projectId: string): Promise<{ shown: FileItem[]; added: FileItem[] }> {
      const shown: FileItem[] = []
      for (const record of records) {
        const known = files.get(record._id)
        const file = known === undefined ? await fileOf(record, projectId) : known
        files.set(record._id, file)
        if (file) shown.push(file)
      }
      return { shown, added: shown.filter((item) => !listed.has(item) && listed.add(item)) }
    },
  }
}
export type ArchivedFiles = Awaited<ReturnType<typeof createArchivedFiles>>

/** Returns the checksums that the archive lists; none for one of before there was a list. */
async function readSums(items: ArchiveItem[], base: string): Promise<Map<string, string>> {
  const list = items.find(({ path }) => path === `${base}SHA256SUMS`)
  if (!list) return new Map()
  const lines = (await readText(list, SUMS_MAX)).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, sum = '', path = ''] = /^([\da-f]{64}) [ *](.+)$/.exec(line) ?? []
      return path === '' ? [] : [[`${base}${path}`.normalize('NFC'), sum]]
    }),
  )
}

/** Returns the checksum of a file; undefined for one whose bytes cannot be unpacked. */
async function checksumOf(item: ArchiveItem): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(await item.open(), hash)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
  return hash.digest('hex')
}
