import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { Pool } from 'pg'
import { type Random, seeded } from '#scripts/demo/random.ts'
import { type Account, createAccount, renewToken } from '#testing/account.ts'
import { registerCleanup, withTemporaryDirectory } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { createJournal } from '#testing/journal.ts'
import { freePort, startServer } from '#testing/start-server.ts'
import { assert } from './assertions.ts'

/** The maximum loss: the last typed text of this many milliseconds. */
const LOST_MAX_MS = 2_000
const KILLS = 200
/** Ends runs that hang. On a busy machine, a request that times out and the pauses before repetitions can take a minute. */
const RECOVERY_MS = 300_000

/** The result of a run: the ages of the oldest keystrokes lost with killed browsers, and the number of verified claims. */
export type TypingResult = { keys: number; claims: number; lostMs: number[]; recoveryMs: number[] }

/**
 * Types continuously, while the browser and the server are killed in turn at random instants. TYPING_KILLS and TYPING_SEED
 * repeat a run.
 */
export async function typing(report: (text: string) => void): Promise<void> {
  const kills = Number(process.env.TYPING_KILLS ?? KILLS)
  const seed = Number(process.env.TYPING_SEED ?? randomInt(2 ** 31))
  report(`${kills} kills, seed ${seed}`)
  const { keys, claims, lostMs, recoveryMs } = await typeThrough(kills, seed)
  const lost = lostMs.toSorted((a, b) => a - b)
  const median = lost[Math.floor(lost.length / 2)] ?? 0
  report(
    `${keys} keystrokes, ${claims} times 'Saved', all true; a killed browser lost the last ${median} ms (median), ${lost.at(-1) ?? 0} ms at most; a killed server nothing, and it had everything ${Math.max(0, ...recoveryMs)} ms after its return at most`,
  )
}

/** Types through a number of kills; throws if more than two seconds are lost, or a claim was false. */
export async function typeThrough(kills: number, seed: number): Promise<TypingResult> {
  const random = seeded(seed)
  const database = await startDatabase()
  try {
    return await withTemporaryDirectory((folder) => run(kills, random, database.url, folder))
  } catch (error) {
    throw new Error(`with TYPING_KILLS=${kills} TYPING_SEED=${seed}: ${String(error)}`, { cause: error })
  } finally {
    await database.remove()
  }
}

type Claim = { status: string; text: string }

async function run(
  kills: number,
  random: Random,
  databaseUrl: string,
  folder: string,
): Promise<TypingResult> {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: String(await freePort()) }
  let server = await startServer(settings)
  const pool = new Pool({ connectionString: databaseUrl })
  const account = await createAccount(server.url)
  const { listPath } = await createJournal(account)
  const profile = path.join(folder, 'browser')
  const claimed: Claim[] = []
  const open = async () => {
    const { rowCount } = await pool.query('select from entry_drafts')
    return openEditor(profile, { account, origin: server.url, listPath, isBegun: rowCount !== 0 }, claimed)
  }
  const result: TypingResult = { keys: 0, claims: 0, lostMs: [], recoveryMs: [] }
  let editor = await open()
  let writer = createWriter(editor.page, random, '')

  /** Verifies that everything that the status line reported as saved is in the database, in a single draft. */
  async function verifyClaims(): Promise<string> {
    const { rows } = await pool.query<{ content: string }>('select content from entry_drafts')
    assert(rows.length <= 1, `there are ${rows.length} drafts of one text`)
    const content = rows[0]?.content ?? ''
    for (const { status, text } of claimed.splice(0)) {
      if (!status.startsWith('Saved on the server')) continue
      result.claims += 1
      assert(
        content.startsWith(text),
        `'${status}' was false: ${text.length} characters, ${content.length} saved`,
      )
    }
    return content
  }

  async function killBrowser() {
    const killedAt = performance.now()
    await editor.kill()
    await writer.stop()
    const saved = await verifyClaims()
    editor = await open()
    const back = await editor.page.getByLabel('Content').inputValue()
    assert(
      back.startsWith(saved),
      `of ${saved.length} characters that the server had acknowledged, ${back.length} came back`,
    )
    const lostAt = writer.typedAt(back)
    const lost = lostAt === undefined ? 0 : Math.round(killedAt - lostAt)
    result.lostMs.push(lost)
    assert(lost <= LOST_MAX_MS, `${lost} ms of typing are lost`)
    result.keys += writer.count
    writer = createWriter(editor.page, random, back)
  }

  async function killServer() {
    await server.end('SIGKILL')
    await verifyClaims()
    await sleep(random.between(0, 2_000))
    await server.stop()
    server = await startServer(settings)
    const back = performance.now()
    await sleep(random.between(0, 1_500))
    await writer.stop()
    const typed = await editor.page.getByLabel('Content').inputValue()
    while ((await verifyClaims()) !== typed) {
      assert(
        performance.now() - back < RECOVERY_MS,
        'five minutes after the server’s return it has not everything',
      )
      await sleep(50)
    }
    result.recoveryMs.push(Math.round(performance.now() - back))
    result.keys += writer.count
    writer = createWriter(editor.page, random, typed)
  }

  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random.between(300, 4_500))
      await (kill % 2 === 0 ? killBrowser() : killServer())
    }
    await writer.stop()
    return result
  } finally {
    await editor.kill()
    await writer.stop()
    await pool.end()
    await server.stop()
  }
}

/** Types into the focused field until it is stopped or the browser has ended, and records when each character was typed. */
function createWriter(page: Page, random: Random, before: string) {
  const stopping = new AbortController()
  const times: number[] = []
  const written = write()

  async function write() {
    while (!stopping.signal.aborted) {
      const character = random.pick([...'abcdefghij '])
      try {
        await page.keyboard.insertText(character)
      } catch {
        return // the browser was killed
      }
      times.push(performance.now())
      await sleep(random.pick([20, 40, 80, 80, 120, 120, 200, 900, 2_500]))
    }
  }

  return {
    get count() {
      return times.length
    },
    /** Returns when the first character was typed that a text lacks. */
    typedAt: (text: string) => times[text.length - before.length],
    async stop() {
      stopping.abort()
      await written
    },
  }
}

type EditorTarget = { account: Account; origin: string; listPath: string; isBegun: boolean }

/** Starts a browser with a profile, and opens the composer in it. */
async function openEditor(
  profile: string,
  { account, origin, listPath, isBegun }: EditorTarget,
  claimed: Claim[],
) {
  const { process: browser, endpoint } = await startChromium(profile)
  const stop = registerCleanup(async () => {
    if (browser.exitCode !== null || browser.signalCode !== null) return
    const exited = once(browser, 'exit')
    process.kill(-(browser.pid ?? 0), 'SIGKILL')
    await exited
  })
  const connection = await chromium.connectOverCDP(endpoint)
  const [context] = connection.contexts()
  if (!context) throw new Error('the browser has no context')
  const page = await context.newPage()
  await context.addCookies(
    account.cookie.split('; ').map((cookie) => {
      const [name = '', value = ''] = cookie.split(/=(.*)/s)
      return { name, value, url: origin, httpOnly: true, sameSite: 'Lax' as const }
    }),
  )
  const { token } = await renewToken(origin, account)
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate((fresh) => {
    localStorage.setItem('token', fresh)
    localStorage.setItem('plainEditor', 'on')
  }, token)
  // The kill may have destroyed the browser's storage, so the server's list of drafts leads back.
  await page.goto(origin + (isBegun ? '/dashboard' : listPath))
  await page.getByRole('button', { name: isBegun ? /^Continue / : 'Add your first entry' }).click()
  const content = page.getByLabel('Content')
  await content.focus()
  await page.keyboard.press('Control+End')
  await page.exposeFunction('claim', (status: string, text: string) => void claimed.push({ status, text }))
  await page.evaluate(() => {
    const claim = (globalThis as unknown as { claim: (status: string, text: string) => void }).claim
    const line = [...document.querySelectorAll('header output[aria-live]')].at(-1)
    const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Content"]')
    if (!line || !field) throw new Error('the composer is not there')
    const read = () => claim(line.textContent ?? '', field.value)
    new MutationObserver(read).observe(line, { childList: true, characterData: true, subtree: true })
    read()
  })
  return { page, kill: stop }
}

async function startChromium(profile: string): Promise<{ process: ChildProcess; endpoint: string }> {
  const program = process.env.CHROMIUM_PATH
  if (!program) throw new Error('CHROMIUM_PATH does not name a Chromium')
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--disable-dev-shm-usage',
  ]
  const started = spawn(
    program,
    [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  for await (const text of started.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += String(text)
    const endpoint = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
    if (endpoint) {
      started.stderr.resume()
      return { process: started, endpoint }
    }
  }
  throw new Error(`Chromium did not start: ${said.slice(-500)}`)
}
