import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { ENTRY_STATES } from '#contract/entries.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { VISIBILITIES } from '#contract/projects.ts'
import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { type Converting, entriesOf, faultOfFile } from '#server/import/converting/documents.ts'
import { descriptionOf, storedTags, storedTitle } from '#server/import/converting/texts.ts'
import { type Item, Refused } from '#server/import/items.ts'

/** The newest format of the archive that is understood (`server/export/archive.ts`). */
const FORMAT_MAX = 1
const JSON_MAX = 100_000_000

const date = z.iso.datetime()
const file = z.looseObject({
  _id: z.uuid(),
  path: z.string(),
  originalName: z.string().optional(),
  name: z.string(),
  takenAt: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    .optional()
    .catch(undefined),
  createdAt: date.optional(),
})
const cover = z.uuid().nullable().optional()
const common = { _id: z.uuid(), createdAt: date, updatedAt: date, version: z.int().min(1).max(1_000_000_000) }
const entry = z.looseObject({
  ...common,
  path: z.string(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  state: z.enum(ENTRY_STATES),
  happenedAt: date,
  happenedOn: z.iso.date(),
  happenedZone: z.string(),
  author: z.looseObject({ name: z.string() }).nullable(),
  publishedAt: date.nullable(),
  coverFile: cover,
  files: z.array(file),
})
const milestone = z.looseObject({
  ...common,
  title: z.string(),
  description: z.string(),
  completed: z.boolean(),
  startsOn: z.iso.date().nullable().optional(),
  dueOn: z.iso.date().nullable().optional(),
  reachedAt: date.nullable().optional(),
  entries: z.array(z.unknown()),
})
const project = z.looseObject({
  ...common,
  title: z.string(),
  description: z.string(),
  visibility: z.enum(VISIBILITIES),
  cover: file.nullable().optional(),
  milestones: z.array(z.unknown()),
})
const archiveSchema = z.looseObject({ format: z.int(), projects: z.array(z.unknown()) })

/** Brings back what `server/export/` has written, under the same ids where they are free. */
export async function* convertMilepost({ archive, limits, problems }: Converting): AsyncGenerator<Item> {
  const at = archive.items.findIndex(({ path }) => /^(?:[^/]+\/)?milepost\.json$/.test(path))
  const found = archive.items[at]
  if (!found) throw new Refused('The archive has no file milepost.json.')
  const base = found.path.slice(0, -'milepost.json'.length)
  const read = parseArchive(await readText(found, JSON_MAX))
  const indexOf = new Map(archive.items.map(({ path }, index) => [path, index]))
  for (const missing of await listMissing(archive.items, base))
    problems.add('the archive was made without it', missing)

  const sums = await readSums(archive.items, base)
  const isDamaged = async (item: ArchiveItem) => {
    const expected = sums.get(item.path)
    return expected !== undefined && (await checksumOf(item)) !== expected
  }
  if (await isDamaged(found)) problems.add(`${CHANGED}, and comes as it is now`, found.path)
  /** Files are used by several texts, and each is read once. */
  const damage = new Map<string, boolean>()
  const sound = async (records: z.output<typeof file>[]) => {
    for (const { path } of records) {
      const item = archive.items[indexOf.get(`${base}${path}`.normalize('NFC')) ?? -1]
      if (item && !damage.has(path)) damage.set(path, await isDamaged(item))
    }
    return records
  }

  /** Files by their ids, those that cannot come as null. Several texts and a cover may use one. */
  const files = new Map<string, Item | null>()
  const filesOf = (records: z.output<typeof file>[], projectId: string): Item[] =>
    records.flatMap((record) => {
      if (!files.has(record._id)) files.set(record._id, fileOf(record, projectId))
      return files.get(record._id) ?? []
    })
  const listed = new Set<Item>()
  const unlisted = (items: Item[]) => items.filter((item) => !listed.has(item) && listed.add(item))

  function fileOf(record: z.output<typeof file>, projectId: string): Item | null {
    const index = indexOf.get(`${base}${record.path}`.normalize('NFC'))
    const item = index === undefined ? undefined : archive.items[index]
    if (index === undefined || !item) {
      problems.add('the archive does not have the file', record.path)
      return null
    }
    const fault = damage.get(record.path) ? CHANGED : faultOfFile(item, limits)
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
      at: index,
      path,
      name: originalName ?? name,
      size,
      ...(takenAt !== undefined && { takenAt }),
      ...(createdAt !== undefined && { createdAt }),
    }
  }

  /** Reads a record, or adds it to what cannot come. */
  function parsed<T extends z.ZodType>(schema: T, record: unknown, path: string): z.output<T> | undefined {
    const result = schema.safeParse(record)
    if (!result.success)
      problems.add(`milepost.json describes it wrongly (${whatIsWrong(result.error)})`, path)
    return result.data
  }

  for (const [number, record] of read.projects.entries()) {
    const given = parsed(project, record, `project ${number + 1}`)
    if (!given) continue
    const cover = given.cover ? filesOf(await sound([given.cover]), given._id) : []
    yield* unlisted(cover)
    yield {
      kind: 'project',
      ...ofRecord(given),
      title: storedTitle(given.title),
      description: descriptionOf(given.description, given.title),
      visibility: given.visibility,
      ...(given.cover === null ? { cover: null } : cover[0] ? { cover: cover[0].ref } : {}),
    }
    for (const [number, record] of given.milestones.entries()) {
      const stage = parsed(milestone, record, `${given.title}, milestone ${number + 1}`)
      if (!stage) continue
      yield {
        kind: 'milestone',
        ...ofRecord(stage),
        project: given._id,
        title: storedTitle(stage.title),
        description: descriptionOf(stage.description, stage.title),
        completed: stage.completed,
        startsOn: stage.startsOn ?? null,
        dueOn: stage.dueOn ?? null,
        reachedAt: stage.reachedAt ?? null,
      }
      for (const [number, record] of stage.entries.entries()) {
        const text = parsed(entry, record, `${stage.title}, entry ${number + 1}`)
        if (!text) continue
        const shown = filesOf(await sound(text.files), given._id)
        yield* unlisted(shown)
        const { happenedAt, happenedOn, happenedZone } = text
        for (const item of entriesOf(
          {
            ...text,
            key: text._id,
            milestone: stage._id,
            isDraft: text.state === 'draft',
            happened: { at: happenedAt, on: happenedOn, zone: usableZone(happenedZone) },
            author: text.author?.name ?? null,
          },
          problems,
        )) {
          const ref = item.key === text._id ? text._id : item.ref
          const { path, content, isDraft, happened, author, milestone } = item
          const isWhole = item.content === text.content
          yield {
            kind: 'entry',
            ...ofRecord(text),
            key: item.key,
            ref,
            path,
            title: isWhole ? storedTitle(text.title) : item.title,
            content,
            tags: storedTags(text.tags),
            isDraft,
            happened,
            milestone,
            author: author ?? null,
            publishedAt: text.publishedAt,
            ...coverOf(text.coverFile, shown),
          }
        }
      }
    }
  }
}

const ofRecord = ({
  _id,
  createdAt,
  updatedAt,
  version,
}: { [K in keyof typeof common]: z.output<(typeof common)[K]> }) => ({
  key: _id,
  ref: _id,
  createdAt,
  updatedAt,
  version,
})

const coverOf = (chosen: string | null | undefined, shown: Item[]) =>
  chosen === null || shown.some(({ ref }) => ref === chosen) ? { cover: chosen ?? null } : {}

function parseArchive(text: string) {
  const damaged = 'The archive is damaged: its file milepost.json cannot be read. Download it again.'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refused(damaged)
  }
  const read = archiveSchema.safeParse(json)
  if (!read.success) throw new Refused(damaged)
  if (read.data.format > FORMAT_MAX)
    throw new Refused('The archive was made by a newer Milepost. Update this server, then import it.')
  return read.data
}

async function listMissing(items: Converting['archive']['items'], base: string): Promise<string[]> {
  const list = items.find(({ path }) => path === `${base}missing-files.txt`)
  return list ? (await readText(list, 10_000_000)).split('\n').filter((line) => line !== '') : []
}

const CHANGED = 'it was damaged or changed since the archive was made: its checksum is another'
const SUMS_MAX = 50_000_000

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

const whatIsWrong = ({ issues: [issue] }: z.ZodError) => issue?.path.join('.') ?? 'all of it'
