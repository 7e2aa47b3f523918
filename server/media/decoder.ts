import { constants, setPriority } from 'node:os'
import { AppError } from '#server/platform/errors.ts'
import type { Outcome } from './decoding.ts'
import { readPicture } from './pictures.ts'

/** The program that reads one picture, the file of its first argument, tells its parent what came of it, and ends. */
async function main() {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('disconnect', () => process.exit(1))
  const outcome = await read(process.argv[2] ?? '')
  process.send?.(outcome, () => process.exit())
}

async function read(file: string): Promise<Outcome> {
  try {
    return { picture: await readPicture(file) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, cause } = error
    return { refusal: { code, message, reason: cause instanceof Error ? cause.message : undefined } }
  }
}

await main()
