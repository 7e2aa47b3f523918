import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Instance } from './data-directory.ts'

/** The output of the server before its own logs are open. */
export const START_LOG = 'start.log'

/** The reason that is given where the disk is full. */
export const DISK_FULL = 'no space is left on the disk'

const NO_SPACE = /No space left on device|Check free disk space/
const ERROR_LINE = /(FATAL|PANIC|ERROR|error):/

/** The last line in which one of PostgreSQL's programs says what is wrong, else its last line. */
export function lastError(output: string): string {
  if (NO_SPACE.test(output)) return DISK_FULL
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((candidate) => ERROR_LINE.test(candidate)) ?? lines.at(-1) ?? 'nothing'
  return line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '').replace(/\.$/, '')
}

/** Why the server's last start failed: read from the logs, first the one of the start, then its own. */
export async function startupError({ directory }: Instance): Promise<string | undefined> {
  const said = await readFile(path.join(directory, START_LOG), 'utf8').catch(() => '')
  if (ERROR_LINE.test(said)) return lastError(said)
  const folder = path.join(directory, 'log')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  const [lastStart] = texts
    .flatMap((text) => text.split(/(?=^.*starting PostgreSQL)/m))
    .toSorted()
    .toReversed()
  return lastStart && ERROR_LINE.test(lastStart) ? lastError(lastStart) : undefined
}
