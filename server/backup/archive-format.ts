import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'

/** The version of the archive format that this Milepost writes. It reads this version and earlier ones. */
export const FORMAT = 2

/** The first part of an archive, which describes its origin and content. */
export const manifest = z.object({
  format: z.number().int(),
  /** The version of Milepost. */
  milepost: z.string(),
  /** The latest migration of the database. */
  migration: z.string(),
  postgresql: z.string(),
  madeAt: z.iso.datetime(),
  /** Identifies the token secret without revealing it; absent if there was none yet. */
  secretId: z.string().optional(),
  /** Ordered so that each table follows those that it references. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The queues with unfinished jobs. */
  queues: z.array(z.string()),
})
export type Manifest = z.output<typeof manifest>

/** The last part: a summary of all parts before it. */
export const ending = z.object({
  /** SHA-256 of the names, sizes and bytes of all earlier parts, in hexadecimal. */
  digest: z.string(),
  rows: z.record(z.string(), z.number()),
  jobs: z.number(),
  files: z.number(),
})
export type Ending = z.output<typeof ending>

/** The names of an archive's parts. Large content is split into numbered parts. */
export const part = {
  manifest: 'milepost.json',
  rows: (table: string, number: number) => `rows/${table}/${numbered(number)}`,
  jobs: (queue: string, number: number) => `jobs/${queue}/${numbered(number)}.json`,
  secret: 'secret/token-secret',
  file: (key: string) => `files/${key}`,
  /** One piece of a file that is too large for one part. */
  piece: (key: string, number: number) => `pieces/${key}/${numbered(number)}`,
  ending: 'end.json',
}

const numbered = (number: number) => String(number).padStart(6, '0')

/** One part of an archive, small enough for memory. */
export type Part = { name: string; bytes: Buffer }

/** A running digest over the parts of an archive. */
export function createDigest() {
  const hash = createHash('sha256')
  return {
    add: ({ name, bytes }: Part) => {
      hash.update(`${name}\n${bytes.length}\n`).update(bytes)
    },
    /** Returns the digest in hexadecimal; nothing can be added afterwards. */
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

/** Translates a file system error about an archive to a sentence; returns other errors unchanged. */
export function explainArchiveProblem(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = PROBLEMS[code]
  return sentence ? new CannotStart(sentence(file), { cause: error }) : error
}
