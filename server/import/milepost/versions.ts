import type { z } from 'zod'
import { CONTENT_MAX } from '#contract/entries.ts'
import { NAME_MAX } from '#contract/identity.ts'
import { characters, firstCharacters } from '#contract/parts/characters.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { storable, storedTags, storedTitle } from '#server/import/converting/texts.ts'
import type { FileItem, Item, ProblemList, VersionFacts } from '#server/import/items.ts'
import type { ArchivedFiles } from './files.ts'
import { coverOf, type entry, parsed, version } from './records.ts'

/** UTF-8 has at most four bytes for each unit of `CONTENT_MAX`. */
const BYTES_MAX = 4 * CONTENT_MAX

type Version = z.output<typeof version>
type Earlier = Version & { path: string }

/** Returns what an archive says of the history of an entry: of the present text, and of those before it, oldest first. */
export function readHistory(
  problems: ProblemList,
  text: z.output<typeof entry>,
): { latest: VersionFacts | undefined; earlier: Earlier[] } {
  const earlier: Earlier[] = []
  let latest: VersionFacts | undefined
  let last = 0
  for (const [number, record] of (text.versions ?? []).entries()) {
    const found = parsed(problems, version, record, `${text.path}, version ${number + 1}`)
    if (!found) continue
    const { path } = found
    const isNext = found.firstVersion > last && found.firstVersion <= found.version
    const isInOrder =
      isNext && (path === undefined ? found.version === text.version : found.version < text.version)
    if (!isInOrder) problems.add('it is out of order', `${text.path}, version ${number + 1}`)
    else if (path === undefined) latest = factsOf(found)
    else earlier.push({ ...found, path })
    if (isInOrder) last = found.version
  }
  return { latest, earlier }
}

const factsOf = (found: Version): VersionFacts => ({
  firstVersion: found.firstVersion,
  version: found.version,
  begunAt: found.begunAt,
  createdAt: found.createdAt,
  authors: found.authors.map((author) => firstCharacters(storable(author).trim(), NAME_MAX)),
  name: found.name === null || storable(found.name).trim() === '' ? null : storable(found.name),
  cause: found.cause,
  wordCount: found.wordCount,
})

type Of = { entry: string; projectId: string; shown: FileItem[] }

/** Returns earlier versions as items, with the files that only they show. */
export async function* versionItems(
  { problems, files }: { problems: ProblemList; files: ArchivedFiles },
  earlier: Earlier[],
  { entry, projectId, shown }: Of,
): AsyncGenerator<Item> {
  const known = [...shown]
  for (const found of earlier) {
    const own = await files.of(found.files, projectId)
    known.push(...own.shown)
    yield* own.added
    const content = await files.textOf(found.path, BYTES_MAX)
    if (content === undefined) continue
    if (characters(content) > CONTENT_MAX) {
      problems.add('it is longer than an entry may be', found.path)
      continue
    }
    yield {
      kind: 'version',
      entry,
      ...factsOf(found),
      title: storedTitle(found.title),
      content: storable(content),
      tags: storedTags(found.tags),
      isDraft: found.state === 'draft',
      happened: { at: found.happenedAt, on: found.happenedOn, zone: usableZone(found.happenedZone) },
      ...coverOf(found.coverFile, known),
    }
  }
}
