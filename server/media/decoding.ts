import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BaseLogger } from 'pino'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import type { Picture } from './pictures.ts'

/** What the program that reads a picture says of it. */
export type Outcome =
  | { picture: Picture }
  | { refusal: { code: ErrorCode; message: string; reason: string | undefined } }

const PROGRAM = fileURLToPath(new URL('./decoder.ts', import.meta.url))
const PATIENCE_MS = 60_000
const COMPLAINT_MAX = 2_000

const queue = createFairQueue({ longest: 32, each: 4 })

/**
 * Reads a picture in a process of its own: what it takes of memory is given back, and a file that breaks a decoder
 * breaks nothing else. One at a time. Throws what is wrong with the image, or that too many are in work.
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

function run(file: string, log: BaseLogger): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env
    const child = fork(PROGRAM, [file], {
      execArgv: [],
      env: SystemRoot === undefined ? {} : { SystemRoot },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    let complaint = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, COMPLAINT_MAX)
    })
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('error', (error) => {
      log.error({ err: error }, 'the program that reads images could not be started')
      reject(new AppError('unavailable', 'Images cannot be read right now', { retryAfter: 30 }))
    })
    child.once('close', (exitCode, signal) => {
      if (exitCode === 0) return
      log.warn({ exitCode, signal, complaint }, 'the program that reads images ended early')
      reject(new AppError('not_an_image', 'This image cannot be read; it may be broken'))
    })
  })
}
