import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Place } from './data-directory.ts'

/** What the server says before its own logs are open. */
export const START_LOG = 'start.log'

/** What a complaint comes down to where the disk is full. */
export const DISK_FULL = 'no space is left on the disk'

const NO_SPACE = /No space left on device|Check free disk space/
const COMPLAINT = /(FATAL|PANIC|ERROR|error):/

/** The last line in which one of PostgreSQL's programs says what is wrong, else its last line. */
export function lastComplaint(output: string): string {
  if (NO_SPACE.test(output)) return DISK_FULL
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((candidate) => COMPLAINT.test(candidate)) ?? lines.at(-1) ?? 'nothing'
  return line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '').replace(/\.$/, '')
}

/** Why the server's last start failed: the logs publish, first the one of the start, then its own. */
export async function startComplaint({ home }: Place): Promise<string | undefined> {
  const said = await readFile(path.join(home, START_LOG), 'utf8').catch(() => '')
  if (COMPLAINT.test(said)) return lastComplaint(said)
  const folder = path.join(home, 'log')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  const [lastStart] = texts
    .flatMap((text) => text.split(/(?=^.*starting PostgreSQL)/m))
    .toSorted()
    .toReversed()
  return lastStart && COMPLAINT.test(lastStart) ? lastComplaint(lastStart) : undefined
}
