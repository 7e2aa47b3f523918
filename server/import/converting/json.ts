import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { Refused } from '#server/import/items.ts'
import { isRecord, type UnknownRecord } from './records.ts'

/** A larger one needs more memory than a conversion has. */
const JSON_MAX = 100_000_000

const PAGES_MAX = 10_000

/** Reads a file of JSON, or of several one after the other, as a program writes a list in pages. Throws Refused. */
export async function readJson(item: ArchiveItem): Promise<unknown> {
  const text = (await readText(item, JSON_MAX).catch(refuseWhole(item.path))).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const pages = text.trim().split(/(?<=\])\s*(?=\[)|(?<=\}\r?\n)(?=\{)/)
    try {
      if (pages.length > 1 && pages.length < PAGES_MAX)
        return pages.flatMap((page) => JSON.parse(page) as unknown[])
    } catch {
      // The first error says more.
    }
    throw new Refused(
      `The file ${item.path} is damaged or incomplete (${error instanceof Error ? error.message.slice(0, 100) : ''}). Export it again.`,
    )
  }
}

/** Reads a file of JSON whose top is a record. Throws Refused. */
export async function readJsonRecord(item: ArchiveItem): Promise<UnknownRecord> {
  const read = await readJson(item)
  return isRecord(read) ? read : {}
}

/** Says of what a reason is, where the archive cannot be read without it. */
export const refuseWhole =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof Refused)
      throw new Refused(`The file ${path} cannot be read: ${error.message}. Export it in parts.`)
    throw error
  }
