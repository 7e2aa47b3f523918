import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BaseLogger } from 'pino'
import { AppError } from '#server/platform/errors.ts'
import type { Card } from './card.ts'

/** What the program that paints answers. */
export type Outcome = { png: Uint8Array } | { failure: string }

export type Painter = {
  /** A card as a PNG. Throws `unavailable` where it takes too long. */
  paint: (card: Card) => Promise<Uint8Array>
  /** Ends the program. */
  close: () => void
}

const PROGRAM = fileURLToPath(new URL('./painter.ts', import.meta.url))
const PATIENCE_MS = 15_000
/** A program that has nothing to do for so long gives its memory back. */
const IDLE_MS = 60_000

/**
 * Paints in one process of its own that gives way to this one: painting never delays a page, and what breaks the painter
 * breaks nothing else. Whoever calls it waits for one card before the next.
 */
export function createPainter(log: BaseLogger): Painter {
  let program: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined

  const close = () => {
    clearTimeout(idle)
    program?.kill('SIGKILL')
    program = null
  }

  async function paint(card: Card): Promise<Uint8Array> {
    clearTimeout(idle)
    if (!program?.connected) program = start()
    try {
      return await ask(program, card)
    } catch (error) {
      close()
      log.warn({ err: error }, 'a picture could not be painted')
      throw new AppError('unavailable', 'The picture cannot be painted right now', { retryAfter: 30 })
    } finally {
      idle = setTimeout(close, IDLE_MS).unref()
    }
  }

  return { paint, close }
}

function start(): ChildProcess {
  const { SystemRoot } = process.env
  return fork(PROGRAM, [], {
    execArgv: [],
    env: SystemRoot === undefined ? {} : { SystemRoot },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

async function ask(program: ChildProcess, card: Card): Promise<Uint8Array> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE_MS)])
  const ended = once(program, 'exit', { signal }).then(() => {
    throw new Error('The program that paints ended early')
  })
  const answered = once(program, 'message', { signal })
  // Whichever comes second has nobody who waits for it.
  ended.catch(() => undefined)
  answered.catch(() => undefined)
  try {
    program.send(card)
    const [outcome] = (await Promise.race([answered, ended])) as [Outcome]
    if ('failure' in outcome) throw new Error(outcome.failure)
    return outcome.png
  } finally {
    over.abort()
  }
}
