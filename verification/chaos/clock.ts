import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount, renewToken, signIn } from '#testing/account.ts'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, assertStatus } from './assertions.ts'

const MINUTES = 60
const HOURS = 60 * MINUTES
const SEEN_MS = 300
const WRONG_MAX = 5
const FLOOD = 1_300

/** Sets the server's clock forward and back: tokens, sessions, lock-outs and rate limits keep working in both directions. */
export function clock(report: (text: string) => void): Promise<void> {
  return withTemporaryDirectory(async (folder) => {
    const file = path.join(folder, 'offset')
    const set = async (seconds: number) => {
      await writeFile(file, String(seconds))
      await sleep(SEEN_MS)
    }
    await set(0)
    const server = await startServer(
      { CLOCK_FILE: file, RATE_LIMIT: 'on' },
      new URL('clock-shift.ts', import.meta.url),
    )
    try {
      await tokens(server.url, set)
      report('clock 2 hours forward, back, and 2 hours back: tokens end and are renewed, sign-in goes on')
      await lockOut(server.url, set)
      report('clock 16 minutes forward: a locked-out account can sign in; back: no lock-out gets longer')
      report(await limits(server.url, set))
    } finally {
      await server.stop()
    }
  })
}

type Set = (seconds: number) => Promise<void>

async function tokens(url: string, set: Set) {
  const account = await createAccount(url)
  const projectsOf = ({ token }: { token: string }) =>
    fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${token}` } })
  await assertStatus(projectsOf(account), 200, 'a fresh token')
  await set(2 * HOURS)
  await assertStatus(projectsOf(account), 401, 'a token of two hours ago')
  const ahead = await renewToken(url, account)
  await assertStatus(projectsOf(ahead), 200, 'a token renewed two hours ahead')
  await set(0)
  await assertStatus(
    projectsOf(await renewToken(url, account)),
    200,
    'a token renewed after the clock was set back',
  )
  await set(-2 * HOURS)
  await assertStatus(projectsOf(await renewToken(url, account)), 200, 'a token renewed two hours back')
  await assertStatus(projectsOf(await createAccount(url)), 200, 'a token of a new account, two hours back')
  await set(0)
}

async function lockOut(url: string, set: Set) {
  const account = await createAccount(url)
  const wrong = { ...account, password: 'not the password' }
  for (let attempt = 0; attempt < WRONG_MAX; attempt += 1) await signIn(url, wrong)
  await assertStatus(signIn(url, account), 429, 'the right password after five wrong ones')
  await set(16 * MINUTES)
  assert((await signIn(url, account)).ok, 'the right password is refused a quarter of an hour later')
  await set(0)
  assert((await signIn(url, account)).ok, 'the right password is refused once the clock was set back')
}

async function limits(url: string, set: Set): Promise<string> {
  await set(24 * HOURS)
  await assertStatus(fetch(`${url}/api/projects/stats`), 200, 'a call a day ahead')
  await set(0)
  let refused: Response | undefined
  for (let call = 0; call < FLOOD && !refused; call += 1) {
    const response = await fetch(`${url}/api/projects/stats`)
    await response.arrayBuffer()
    if (response.status === 429) refused = response
  }
  const wait = Number(refused?.headers.get('retry-after'))
  assert(
    refused !== undefined && wait <= MINUTES,
    `after a day back, a client that floods waits for ${wait} s`,
  )
  return `clock a day back: who floods the API waits for ${wait} s`
}
