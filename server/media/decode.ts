import type { BaseLogger } from 'pino'
import { createChildPool } from '#server/platform/child-pool.ts'
import { AppError } from '#server/platform/errors.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import type { Outcome, Picture } from './decode-task.ts'

const TIMEOUT_MS = 60_000

const queue = createFairQueue({ longest: 32, each: 4 })
// A process for each image gives its memory back, and no file meets what another may have done to its decoder.
const decoder = createChildPool<string, Outcome>(new URL('./decode-task.ts', import.meta.url), {
  idleMs: 0,
  isolated: true,
})

/**
 * Decodes the file of an image in a process of its own, one at a time, in turns between people. Throws `not_an_image` or
 * `too_large`, and `unavailable` or `too_many_requests` where too many wait.
 */
export function decodePicture(file: string, person: string, log: BaseLogger): Promise<Picture> {
  return queue(person, async () => {
    const outcome = await run(file, log)
    if ('picture' in outcome) return outcome.picture
    const { code, message, reason } = outcome.refusal
    log.info({ code, reason }, 'an uploaded file was refused')
    throw new AppError(code, message)
  })
}

async function run(file: string, log: BaseLogger): Promise<Outcome> {
  try {
    return await decoder.run(file, TIMEOUT_MS)
  } catch (error) {
    log.warn({ err: error }, 'an image could not be decoded')
    if (error instanceof AppError) throw error
    throw new AppError('not_an_image', 'This image cannot be read; it may be broken')
  }
}
