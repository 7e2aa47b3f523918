import { hashPassword, verifyPassword } from '#server/identity/local/hashing.ts'
import { type Client, FairQueue } from '#server/platform/limits/fair-queue.ts'

/** Apart from the passwords of accounts, so that visitors of links do not delay those who sign in. */
const queue = new FairQueue({ atOnce: 1, waiting: 32, each: 4 })

/** Hashes the password of a link. Throws `unavailable` or `too_many_requests` while too many are being hashed. */
export const hashLinkPassword = (password: string, client: Client): Promise<string> =>
  queue.run(client, () => hashPassword(password))

/** Returns whether a password matches a hash. Throws `unavailable` or `too_many_requests` while too many are being compared. */
export const isLinkPassword = (known: string, password: string, client: Client): Promise<boolean> =>
  queue.run(client, () => verifyPassword(known, password))
