import { createSemaphore, hashPassword, verifyPassword } from '#server/identity/local/hashing.ts'

/** One at a time, apart from the passwords of accounts, so that visitors of links do not delay those who sign in. */
const inTurn = createSemaphore({ atOnce: 1, waiting: 32 })

/** Hashes the password of a link. Throws `unavailable` while too many are being hashed. */
export const hashLinkPassword = (password: string): Promise<string> => inTurn(() => hashPassword(password))

/** Returns whether a password matches a hash. Throws `unavailable` while too many are being compared. */
export const isLinkPassword = (known: string, password: string): Promise<boolean> =>
  inTurn(() => verifyPassword(known, password))
