import type { BaseLogger } from 'pino'
import { AppError } from '#server/platform/api/errors.ts'
import { createChildPool } from '#server/platform/child-pool.ts'
import { type Client, FairQueue } from '#server/platform/limits/fair-queue.ts'
import type { Found, Inspected, InspectTask, MeasuredOutcome, Outcome } from './inspect-task.ts'
import type { ProfilePicture } from './profile-picture.ts'

const TIMEOUT_MS = 90_000

/**
 * The limits of inspections. A picture of 12 megapixels takes a second: a person may upload a thousand within an hour, and not keep the
 * decoder for themselves.
 */
const QUEUE = {
  atOnce: 1,
  waiting: 32,
  each: 4,
  waitMs: 120_000,
  budget: { personMs: 15 * 60_000, networkMs: 30 * 60_000 },
  tooMany: 'Your earlier pictures and files are still being processed.',
}

/** Inspects uploads, one file at a time. People take turns. */
export type Inspector = {
  /**
   * Decodes the picture of a person. Throws `not_an_image` or `too_large`, `unavailable` if it could not be read in time or the
   * system failed, and the errors of a fair queue.
   */
  profilePicture: (file: string, client: Client) => Promise<ProfilePicture>
  /**
   * Determines the kind of an uploaded file, removes its metadata, and writes the widths of a picture beside it. Throws
   * `unsupported_media` or `too_large`, and otherwise like `profilePicture`.
   */
  upload: (upload: { file: string; name: string; pixelsMax: number }, client: Client) => Promise<Inspected>
}

type Run = (task: InspectTask, timeoutMs: number) => Promise<Outcome<Found>>

/** Creates an inspector that runs its tasks in a child process, unless a test replaces `run`. */
export function createInspector(log: BaseLogger, run: Run = inChildProcesses()): Inspector {
  const queue = new FairQueue(QUEUE)

  function inspect<Result extends Found>(task: InspectTask, client: Client) {
    return queue.run(client, async () => {
      const outcome = await run(task, TIMEOUT_MS).catch((error: unknown) => {
        log.warn({ err: error }, 'a file could not be inspected')
        throw error instanceof AppError ? error : notReadNow(task)
      })
      if ('found' in outcome) return outcome.found as Result
      const { code, message, reason } = outcome.error
      log.info({ code, reason }, 'an uploaded file was refused')
      throw new AppError(code, message)
    })
  }

  return {
    profilePicture: (file, client) => inspect<ProfilePicture>({ as: 'profile picture', file }, client),
    upload: (upload, client) => inspect<Inspected>({ as: 'file', ...upload }, client),
  }
}

/** The file may be fine: its process was terminated, was too slow, or could not write. */
function notReadNow(task: InspectTask): AppError {
  const name = task.as === 'file' ? `“${task.name}”` : 'This image'
  return new AppError('unavailable', `${name} could not be read right now. Please try again in a moment.`, {
    retryAfter: 30,
  })
}

/** Starting a process stops the server for some 10 ms, so one inspects several files. */
const FILES_PER_PROCESS = 20
const IDLE_MS = 60_000
/** Pictures of 12 megapixels take up to 180, more only pictures of more than 24; 50 of AVIF take 1,200. */
const PEAK_MEGABYTES = 320
/** Without these, glibc does not return the memory of pictures: the process would grow with each. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Whether a process may not inspect another file: after one that was refused, which may have been an attack, or took much memory. */
export const isWornOut = (outcome: MeasuredOutcome): boolean =>
  'error' in outcome || outcome.peakMegabytes > PEAK_MEGABYTES

/** A process isolates the server, its memory and its secrets from exploits in files. */
function inChildProcesses(): Run {
  const task = new URL('./inspect-task.ts', import.meta.url)
  return createChildPool<InspectTask, MeasuredOutcome>(task, {
    idleMs: IDLE_MS,
    env: ALLOCATOR,
    replace: { after: FILES_PER_PROCESS, when: isWornOut },
  }).run
}
