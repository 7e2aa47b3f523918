import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import type { Place } from './place.ts'

/** The file in `home` with the password of the database's roles; it is made with the cluster. */
export const PASSWORD_FILE = 'password'

/** Reads the password of an existing cluster. */
export async function readPassword({ home }: Place): Promise<string> {
  const file = path.join(home, PASSWORD_FILE)
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new CannotStart(`The database's password file ${file} is gone; put it back from a backup.`, {
      cause,
    })
  })
}
