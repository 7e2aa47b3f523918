import type { BaseLogger } from 'pino'
import { createChildPool } from '#server/platform/child-pool.ts'
import { AppError } from '#server/platform/errors.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import type { EntryImage } from './entry-image.ts'
import type { Inspected, InspectTask, Outcome } from './inspect-task.ts'

const TIMEOUT_MS = 90_000

const queue = createFairQueue({ longest: 32, each: 4 })
// A process for each file gives its memory back, and no file meets what another may have done to its decoder.
const child = createChildPool<InspectTask, Outcome<EntryImage | Inspected>>(
  new URL('./inspect-task.ts', import.meta.url),
  { idleMs: 0, isolated: true },
)

/**
 * Decodes the image of a form in a process of its own, one file at a time, in turns between people. Throws
 * `not_an_image` or `too_large`, and `unavailable` or `too_many_requests` where too many wait.
 */
export function inspectEntryImage(file: string, person: string, log: BaseLogger): Promise<EntryImage> {
  const broken = new AppError('not_an_image', 'This image cannot be read; it may be broken')
  return inspect<EntryImage>({ as: 'entry image', file }, broken, person, log)
}

/**
 * Finds out what an uploaded file is, takes the metadata out of it, and writes the widths of a picture beside it: in a
 * process of its own, as above. Throws `unsupported_media` or `too_large`, and as above where too many wait.
 */
export function inspectUpload(
  { file, name, pixelsMax }: { file: string; name: string; pixelsMax: number },
  person: string,
  log: BaseLogger,
): Promise<Inspected> {
  const broken = new AppError('unsupported_media', `“${name}” cannot be read; it may be broken.`)
  return inspect<Inspected>({ as: 'file', file, name, pixelsMax }, broken, person, log)
}

function inspect<Found extends EntryImage | Inspected>(
  task: InspectTask,
  broken: AppError,
  person: string,
  log: BaseLogger,
): Promise<Found> {
  return queue(person, async () => {
    const outcome = await run(task, broken, log)
    if ('found' in outcome) return outcome.found as Found
    const { code, message, reason } = outcome.error
    log.info({ code, reason }, 'an uploaded file was refused')
    throw new AppError(code, message)
  })
}

async function run(task: InspectTask, broken: AppError, log: BaseLogger) {
  try {
    return await child.run(task, TIMEOUT_MS)
  } catch (error) {
    log.warn({ err: error }, 'a file could not be inspected')
    throw error instanceof AppError ? error : broken
  }
}
