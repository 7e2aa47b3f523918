import { isOutage } from './database/outage.ts'

/** A startup error that the operator can fix. Its message is one sentence, shown without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** A startup error that may pass without a change of the settings, so that a later start may succeed. */
export class TemporaryFailure extends CannotStart {
  override name = 'TemporaryFailure'
}

/** The exit code of `CannotStart` (EX_CONFIG): restarting would not help. */
export const CANNOT_START_CODE = 78

/** The exit code of a failure that may pass (EX_TEMPFAIL): the supervisor should start the process again. */
export const TEMPORARY_FAILURE_CODE = 75

/** Returns the exit code of a start that failed. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof TemporaryFailure) return TEMPORARY_FAILURE_CODE
  if (error instanceof CannotStart) return CANNOT_START_CODE
  return isOutage(error) ? TEMPORARY_FAILURE_CODE : 1
}

/** Returns the error of a full disk that holds `folder`. */
export const diskFull = (folder: string, cause?: unknown) =>
  new TemporaryFailure(`The disk that holds ${folder} is full; free some space and start again.`, { cause })

const FILE_PROBLEMS: Record<string, (folder: string) => string> = {
  EACCES: (folder) =>
    `Milepost may not read and write in ${folder}; give its user that right or set DATA_DIR.`,
  EPERM: (folder) => `Milepost may not change ${folder}; give its user that right or set DATA_DIR.`,
  EROFS: (folder) => `${folder} lies on a read-only disk; set DATA_DIR to a folder that can be written.`,
  ENOTDIR: (folder) =>
    `A part of the path ${folder} is a file, not a folder; set DATA_DIR to another folder.`,
  EEXIST: (folder) => `${folder} is a file, not a folder; set DATA_DIR to another folder.`,
  ENOENT: (folder) =>
    `No folder can be made at ${folder}, or a link there leads to one that is gone; set DATA_DIR to another folder.`,
  ELOOP: (folder) => `A link in the path ${folder} leads to itself; set DATA_DIR to another folder.`,
  ENAMETOOLONG: (folder) => `The path ${folder} is too long; set DATA_DIR to a shorter one.`,
}

/** Codes of a disk in the network that is gone, or of one that fails. */
const SILENT_DISK = ['EIO', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'ENODEV', 'ENXIO']

const isOfFolder = (error: unknown) =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'mkdir' || error.syscall === 'stat')

/** Translates a file system error about `folder` to a sentence; returns any other error unchanged. */
export function explainFileProblem(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Of a program that is missing, the sentence about folders would be wrong.
  if (code === 'ENOENT' && !isOfFolder(error)) return error
  if (code === 'ENOSPC') return diskFull(folder, error)
  if (code === 'EDQUOT')
    return new TemporaryFailure(`The disk quota for ${folder} is used up; free some space and start again.`, {
      cause: error,
    })
  if (SILENT_DISK.includes(code))
    return new TemporaryFailure(
      `The disk of ${folder} does not respond (${code}); check that it is mounted, and start again.`,
      { cause: error },
    )
  const sentence = FILE_PROBLEMS[code]
  return sentence ? new CannotStart(sentence(folder), { cause: error }) : error
}
