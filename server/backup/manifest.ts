import { z } from 'zod'

/** The form of archives that this Milepost writes; it reads this one and those before it. */
export const FORMAT = 1

/** The first part of an archive: by whom and of what it was made. */
export const manifest = z.object({
  format: z.number().int(),
  /** The version of Milepost. */
  milepost: z.string(),
  /** The last change of the schema that the database had. */
  migration: z.string(),
  postgresql: z.string(),
  madeAt: z.iso.datetime(),
  /** Tells token secrets apart without giving them away; absent where there was none yet. */
  secretId: z.string().optional(),
  /** In an order in which no row comes before one that it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The queues in which work is unfinished. */
  queues: z.array(z.string()),
})
export type Manifest = z.output<typeof manifest>

/** The last part: what has come before it. */
export const ending = z.object({
  /** SHA-256 of the names, sizes and bytes of all parts before, in hexadecimal. */
  digest: z.string(),
  rows: z.record(z.string(), z.number()),
  jobs: z.number(),
  files: z.number(),
})
export type Ending = z.output<typeof ending>

/** The names of an archive's parts. What may be large comes in several, numbered ones. */
export const part = {
  manifest: 'milepost.json',
  rows: (table: string, number: number) => `rows/${table}/${numbered(number)}`,
  jobs: (queue: string, number: number) => `jobs/${queue}/${numbered(number)}.json`,
  secret: 'secret/token-secret',
  file: (key: string) => `files/${key}`,
  ending: 'end.json',
}

const numbered = (number: number) => String(number).padStart(6, '0')
