import { open, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { FileKind } from '#contract/files.ts'
import type { ErrorCode } from '#contract/parts/errors.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { BrokenFile } from './boxes.ts'
import { type Format, formatOfFile, isPicture, type PictureFormat } from './formats.ts'
import { notShownNotice } from './not-shown.ts'
import { inspectPicture, type PictureFacts } from './picture.ts'
import { type ProfilePicture, readProfilePicture } from './profile-picture.ts'
import { stripMatroska } from './strip-matroska.ts'
import { type Movie, stripMovie } from './strip-movie.ts'

/** A file to inspect: the picture of a person, or a file of any kind. */
export type InspectTask =
  | { as: 'profile picture'; file: string }
  | { as: 'file'; file: string; name: string; pixelsMax: number }

/**
 * The result of an inspection. The metadata has been removed; `size` is that of the remaining file. `notice` tells the uploader
 * what to expect of the file, as a sentence that names it.
 */
export type Inspected = {
  kind: FileKind
  type: string
  size: number
  notice?: string
} & Partial<PictureFacts>

/** The properties of a file of any kind. */
export type Found = ProfilePicture | Inspected

/** The result, or why the file is refused. `reason` is for the log. */
export type Outcome<Found> =
  | { found: Found }
  | { error: { code: ErrorCode; message: string; reason: string | undefined } }

/** An outcome, and the most memory that its process has ever used. */
export type MeasuredOutcome = Outcome<Found> & { peakMegabytes: number }

/** Inspects a file in a child process of the lowest priority. */
export default async function inspectTask(task: InspectTask): Promise<MeasuredOutcome> {
  setPriority(constants.priority.PRIORITY_LOW)
  const outcome = await inspectHere(task)
  return { ...outcome, peakMegabytes: process.resourceUsage().maxRSS / 1024 }
}

/** Inspects a file in this process. */
export async function inspectHere(task: InspectTask): Promise<Outcome<Found>> {
  try {
    return { found: await lookAt(task) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, cause } = error
    return { error: { code, message, reason: cause instanceof Error ? cause.message : undefined } }
  }
}

const lookAt = (task: InspectTask): Promise<Found> =>
  task.as === 'file' ? inspectFile(task) : readProfilePicture(task.file)

type FileTask = Omit<Extract<InspectTask, { as: 'file' }>, 'as'>

/** Throws `unsupported_media`, or `too_large` for a picture with too many pixels. */
export async function inspectFile(task: FileTask): Promise<Inspected> {
  const format = await formatOfFile(task.file)
  const facts = isPicture(format)
    ? await inspectImage(format, task)
    : format === 'mp4' || format === 'matroska'
      ? await inspectMovie(format, task)
      : plainFacts(format)
  const { size } = await stat(task.file)
  const notice = facts.kind === 'other' ? await notShownNotice(task.file, task.name) : undefined
  return notice === undefined ? { ...facts, size } : { ...facts, size, notice }
}

/** A HEIC picture that cannot be converted is still taken, as a download. */
async function inspectImage(format: PictureFormat, task: FileTask) {
  try {
    return { kind: 'image' as const, ...(await inspectPicture(format, task)) }
  } catch (error) {
    const isRefused = error instanceof AppError && error.code !== 'unavailable'
    if (format !== 'heic' || !isRefused) throw error
    return DOWNLOAD
  }
}

const AUDIO: Partial<Record<Format, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
}

const DOWNLOAD = { kind: 'other', type: 'application/octet-stream' } as const

function plainFacts(format: Format | null) {
  const type = format && AUDIO[format]
  return type ? { kind: 'audio' as const, type } : DOWNLOAD
}

async function inspectMovie(format: 'mp4' | 'matroska', { file, name }: FileTask) {
  const movie = await strippedMovie(format, file).catch((cause: unknown) => {
    if (!(cause instanceof BrokenFile || cause instanceof RangeError)) throw cause
    const message = `“${name}” cannot be read as video or audio; it may be broken.`
    throw Object.assign(new AppError('unsupported_media', message), { cause })
  })
  if (movie.kind === 'other') return DOWNLOAD
  return { ...movie, type: `${movie.kind}/${format === 'mp4' ? 'mp4' : 'webm'}` }
}

async function strippedMovie(format: 'mp4' | 'matroska', file: string): Promise<Movie> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    return format === 'mp4' ? await stripMovie(handle, size) : await stripMatroska(handle, size)
  } finally {
    await handle.close()
  }
}
