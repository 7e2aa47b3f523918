import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'

/** The form of archives that this Milepost writes; it reads this one and those before it. */
export const FORMAT = 2

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
  /** Of a file that is too large for one part: one after the other. */
  piece: (key: string, number: number) => `pieces/${key}/${numbered(number)}`,
  ending: 'end.json',
}

const numbered = (number: number) => String(number).padStart(6, '0')

/** One piece of an archive, small enough to be held in memory. */
export type Part = { name: string; bytes: Buffer }

/** A running digest over the parts of an archive. */
export function createDigest() {
  const hash = createHash('sha256')
  return {
    add: ({ name, bytes }: Part) => {
      hash.update(`${name}\n${bytes.length}\n`).update(bytes)
    },
    /** The digest in hexadecimal; nothing can be added after it. */
    end: () => hash.digest('hex'),
  }
}

const PROBLEMS: Record<string, (file: string) => string> = {
  ENOENT: (file) => `There is no ${file}, or its folder is missing.`,
  ENOTDIR: (file) => `A part of the path ${path.dirname(file)} is a file, not a folder.`,
  EISDIR: (file) => `${file} is a folder: name a file.`,
  EACCES: (file) => `Milepost may not read or write ${file}: give its user that right.`,
  EPERM: (file) => `Milepost may not read or write ${file}: give its user that right.`,
  EROFS: (file) => `${file} lies on a read-only disk.`,
  ENOSPC: (file) => `The disk that holds ${path.dirname(file)} is full.`,
  EDQUOT: (file) => `The disk quota for ${path.dirname(file)} is used up.`,
  EFBIG: (file) => `The disk that holds ${path.dirname(file)} takes no file of this size.`,
}

/** Turns the file system's refusal of an archive into a sentence; leaves any other error as it is. */
export function explainArchiveProblem(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = PROBLEMS[code]
  return sentence ? new CannotStart(sentence(file), { cause: error }) : error
}
