import path from 'node:path'
import type { CommandDeps } from '#server/backup/command.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { isOutage } from '#server/database/outage.ts'
import { loadEnvFile } from '#server/env-file.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { readSettings, settingNames } from '#server/settings.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command with one argument, such as a file. Errors are printed as one sentence, with exit code 1. */
export async function runCommand(
  use: string,
  wanted: string,
  work: (word: string, deps: CommandDeps) => Promise<void>,
): Promise<void> {
  try {
    const [word, ...more] = process.argv.slice(2)
    if (!word || more.length > 0 || word.startsWith('-'))
      throw new CannotStart(`Please name one ${wanted}: ${use}`)
    for (const warning of loadEnvFile('.env', settingNames)) console.error(warning)
    const settings = readSettings(process.env)
    const say = (text: string) => console.log(text)
    await work(word, { settings, log: createLogger('warn'), say, stop: stopOnSignal() })
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}

/** Resolves a file name against the caller's directory, because npm and our runner change the working directory. */
export const fileNamed = (name: string) => path.resolve(process.env.INIT_CWD ?? '.', name)

/** Aborts the work on a first signal, and exits immediately on a second one. */
function stopOnSignal(): AbortController {
  const stop = new AbortController()
  for (const signal of SIGNALS)
    process.once(signal, () => stop.abort(new CannotStart('Stopped; nothing was kept.')))
  return stop
}

function explain(error: unknown): unknown {
  if (error instanceof CannotStart) return error.message
  if (isOutage(error) && error instanceof Error) return `The database went away: ${error.message}.`
  return error
}
