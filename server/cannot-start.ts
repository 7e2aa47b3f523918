/** A startup error that the operator can fix. Its message is one sentence, shown without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** The exit code of `CannotStart`: restarting would not help. */
export const CANNOT_START_CODE = 78

/** Returns the error of a full disk that holds `folder`. */
export const diskFull = (folder: string) =>
  new CannotStart(`The disk that holds ${folder} is full; free some space and start again.`)

const FILE_PROBLEMS: Record<string, (folder: string) => string> = {
  EACCES: (folder) =>
    `Milepost may not read and write in ${folder}; give its user that right or set DATA_DIR.`,
  EPERM: (folder) => `Milepost may not change ${folder}; give its user that right or set DATA_DIR.`,
  EROFS: (folder) => `${folder} lies on a read-only disk; set DATA_DIR to a folder that can be written.`,
  ENOSPC: (folder) => diskFull(folder).message,
  EDQUOT: (folder) => `The disk quota for ${folder} is used up; free some space and start again.`,
  ENOTDIR: (folder) =>
    `A part of the path ${folder} is a file, not a folder; set DATA_DIR to another folder.`,
  EEXIST: (folder) => `${folder} is a file, not a folder; set DATA_DIR to another folder.`,
}

/** Translates a file system error about `folder` to a sentence; returns any other error unchanged. */
export function explainFileProblem(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = FILE_PROBLEMS[code]
  return sentence ? new CannotStart(sentence(folder), { cause: error }) : error
}
