import { posix } from 'node:path'
import { z } from 'zod'
import { ENTRY_STATES } from '#contract/entries.ts'
import { REVISION_NAME_MAX } from '#contract/history.ts'
import { VISIBILITIES } from '#contract/projects.ts'
import { refOf } from '#server/import/converting/documents.ts'
import { type FileItem, type ProblemList, Refused } from '#server/import/items.ts'

/** The newest format of the archive that is understood (`server/export/archive.ts`). */
const FORMAT_MAX = 1

/** Far longer than any path that an archive has. */
const PATH_MAX = 10_000

/** PostgreSQL compares ids without case, and so does what refers to them here. */
const id = z.uuid().toLowerCase()
/** PostgreSQL knows no year 0. */
const date = z.iso.datetime().refine((text) => text >= '0001')
const path = z.string().max(PATH_MAX)
const day = z.iso.date().refine((text) => text >= '0001')
const file = z.looseObject({
  _id: id,
  path,
  originalName: z.string().optional(),
  name: z.string(),
  takenAt: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    .optional()
    .catch(undefined),
  createdAt: date.optional(),
})
export type FileRecord = z.output<typeof file>

const common = { _id: id, createdAt: date, updatedAt: date, version: z.int().min(1).max(1_000_000_000) }

const storedEntry = z.looseObject({
  ...common,
  path,
  /** The path of its picture in archives of 0.1.0, where that was no file. */
  image: path.optional(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  state: z.enum(ENTRY_STATES),
  happenedAt: date,
  happenedOn: day,
  happenedZone: z.string(),
  author: z.looseObject({ name: z.string() }).nullable(),
  publishedAt: date.nullable(),
  coverFile: id.nullable().optional(),
  files: z.array(file),
  versions: z.array(z.unknown()).optional(),
})

export const entry = storedEntry.transform(({ image, ...given }) => {
  if (image === undefined) return given
  const picture = { _id: refOf(given._id, image), path: image, name: posix.basename(image) }
  return { ...given, files: [...given.files, picture], coverFile: picture._id }
})

/** A version of an entry; the present one has no `path`. */
export const version = z.looseObject({
  version: z.int().min(1).max(1_000_000_000),
  firstVersion: z.int().min(1).max(1_000_000_000),
  createdAt: date,
  begunAt: date,
  authors: z.array(z.string()).max(50),
  name: z.string().max(REVISION_NAME_MAX).nullable(),
  cause: z.enum(['save', 'restore', 'merge']),
  state: z.enum(ENTRY_STATES),
  title: z.string(),
  tags: z.array(z.string()),
  wordCount: z.int().min(0).max(1_000_000_000).nullable(),
  happenedAt: date,
  happenedOn: day,
  happenedZone: z.string(),
  coverFile: id.nullable().optional(),
  path: path.optional(),
  files: z.array(file),
})

export const milestone = z.looseObject({
  ...common,
  title: z.string(),
  description: z.string(),
  completed: z.boolean(),
  startsOn: day.nullable().optional(),
  dueOn: day.nullable().optional(),
  reachedAt: date.nullable().optional(),
  entries: z.array(z.unknown()),
})

export const project = z.looseObject({
  ...common,
  title: z.string(),
  description: z.string(),
  visibility: z.enum(VISIBILITIES),
  cover: file.nullable().optional(),
  milestones: z.array(z.unknown()),
})

/** Returns the part of an item that all records have. */
export const ofRecord = ({
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

const archive = z.looseObject({ format: z.int(), projects: z.array(z.unknown()) })

/** Reads `milepost.json`, without its records. Throws `Refused` if it is damaged or too new. */
export function parseArchive(text: string): z.output<typeof archive> {
  const damaged = 'The archive is damaged: its file milepost.json cannot be read. Download it again.'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refused(damaged)
  }
  const read = archive.safeParse(json)
  if (!read.success) throw new Refused(damaged)
  if (read.data.format > FORMAT_MAX)
    throw new Refused('The archive was made by a newer Milepost. Update this server, then import it.')
  return read.data
}

/** Reads a record, or adds it to what cannot come. */
export function parsed<T extends z.ZodType>(
  problems: ProblemList,
  schema: T,
  record: unknown,
  path: string,
): z.output<T> | undefined {
  const result = schema.safeParse(record)
  if (!result.success) problems.add(`milepost.json describes it wrongly (${whatIsWrong(result.error)})`, path)
  return result.data
}

const whatIsWrong = ({ issues: [issue] }: z.ZodError) => issue?.path.join('.') ?? 'all of it'

/** Returns the chosen cover, if it can come. */
export const coverOf = (chosen: string | null | undefined, shown: FileItem[]) =>
  chosen === null || shown.some(({ ref }) => ref === chosen) ? { cover: chosen ?? null } : {}
