import { createPasswords, HASH_COST } from '#server/identity/local/hashing.ts'

/** The cost of the password hash alone: verifies a password as many times as each message requests. */
process.on('message', (work: { password: string; times: number }) => void compare(work))

const passwords = createPasswords(HASH_COST, { replace: async () => undefined, accepted() {} })
let known: string | undefined

async function compare({ password, times }: { password: string; times: number }) {
  known ??= await passwords.hash(password)
  for (let time = 0; time < times; time += 1) await passwords.verify({ hash: known, password })
  process.send?.('done')
}
