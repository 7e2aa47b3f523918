import path from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'

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
