import { comparePassword, HASH_COST, hashPassword } from '#server/identity/local/hashing.ts'

/** The cost of the password hash alone: verifies a password as many times as each message requests. */
process.on('message', (work: { password: string; times: number }) => void compare(work))

let known: string | undefined

async function compare({ password, times }: { password: string; times: number }) {
  known ??= await hashPassword(password, HASH_COST)
  for (let time = 0; time < times; time += 1) await comparePassword(known, password, HASH_COST)
  process.send?.('done')
}
