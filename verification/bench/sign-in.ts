import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createAccount } from '#testing/account.ts'
import { portOf, repeatEach } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds, type Row } from './row.ts'

const TIMES = 25

/** The CPU time of a sign-in, compared to that of verifying the password alone. */
export const signIn: Row = {
  name: 'sign-in',
  what: 'sign-in ÷ the password hash alone',
  aim: { atMost: 1.1 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const { email, password } = await createAccount(server.url)
    const hashing = fork(new URL('bare-hash.ts', import.meta.url))
    stage.ends(async () => hashing.kill())
    const hash = async () => {
      hashing.send({ password, times: TIMES })
      await once(hashing, 'message')
    }
    const request = {
      port: portOf(server.url),
      path: '/api/auth/sign-in/email',
      headers: { origin: server.url },
      body: JSON.stringify({ email, password }),
    }
    const rounds = await alternate(
      () => costOfEach(server.pid, TIMES, () => repeatEach([request], TIMES, 204)),
      () => costOfEach(hashing.pid ?? 0, TIMES, hash),
    )
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}
