import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { leftover, undoOnSignal } from '#e2e/leftovers.ts'
import { freePort, type RunningServer, startServer } from '#e2e/start-server.ts'
import { startDatabase } from '#scripts/chaos/database.ts'
import { eventually, type Listener, listen } from '#scripts/chaos/listener.ts'
import { startLoad, told } from '#scripts/chaos/load.ts'
import { type Person, signUp } from '#scripts/chaos/person.ts'
import { testBucket } from '#server/platform/files/testing.ts'
import { startNginx } from './nginx.ts'

const LISTENERS = 10
const UNDER_LOAD_MS = 5_000
/** For how long nginx leaves a replica alone that it could not reach, and a little. */
const SEEN_AGAIN_MS = 2_500
const say = (text: string) => console.log(text)

undoOnSignal(console.error)
const database = await startDatabase()
const bucket = await testBucket()
const closeBucket = leftover(bucket.close)
const ports = [await freePort(), await freePort()]
const nginx = await startNginx(await freePort(), ports)
const { settings } = bucket
const shared = {
  PUBLIC_URL: nginx.url,
  DATABASE_URL: database.url,
  TOKEN_SECRET: randomBytes(32).toString('base64'),
  TRUST_PROXY: 'loopback',
  DRAIN_SECONDS: '4',
  S3_BUCKET: settings.name,
  S3_ENDPOINT: settings.endpoint ?? '',
  S3_PATH_STYLE: 'on',
  S3_ACCESS_KEY_ID: settings.accessKey?.id ?? '',
  S3_SECRET_ACCESS_KEY: settings.accessKey?.secret ?? '',
}
const start = (port: number) => startServer({ ...shared, PORT: String(port) })
const replicas = new Map<number, RunningServer>()

try {
  await Promise.all(ports.map(async (port) => replicas.set(port, await start(port))))
  say(`Two replicas on one database and one bucket, behind nginx at ${nginx.url}`)
  await journey()
  const person = await signUp(nginx.url)
  const listeners = Array.from({ length: LISTENERS }, () => listen(nginx.url, person.token))
  await killOne(person, listeners)
  await rollRestart(person, listeners)
  for (const listener of listeners) listener.leave()
} finally {
  await Promise.all([...replicas.values()].map((replica) => replica.end('SIGKILL')))
  await Promise.all([...replicas.values()].map((replica) => replica.stop()))
  await nginx.stop()
  await closeBucket()
  await database.remove()
}

/** A journey of the browser tests, and one with an image, through the balancer. */
async function journey() {
  const browser = spawn(
    process.execPath,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      'e2e/main-job.spec.ts',
      '--reporter=line',
      '--retries=1',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, MILEPOST_URL: nginx.url } },
  )
  const [code] = (await once(browser, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the journey in a browser failed; npm run test:e2e says more')
  say('Journey in a real browser through nginx: done')
}

async function killOne(person: Person, listeners: Listener[]) {
  await eventually(() => listeners.every(({ ready }) => ready > 0), 'a stream of events did not open')
  const load = await startLoad(person, nginx.url)
  await sleep(UNDER_LOAD_MS)
  const before = listeners.map(({ ready }) => ready)
  const [port = 0] = ports
  await replicas.get(port)?.end('SIGKILL')
  const openAnew = () => listeners.filter(({ ready }, index) => ready > (before[index] ?? 0))
  await sleep(UNDER_LOAD_MS)
  const again = openAnew()
  if (again.length === 0 || again.length === listeners.length)
    throw new Error(
      `${again.length} of ${listeners.length} streams were opened anew, not those of one replica`,
    )
  const hints = listeners.map(({ heard }) => heard)
  await eventually(
    () => listeners.every(({ heard }, index) => heard > (hints[index] ?? 0)),
    'a listener hears no more',
  )
  await load.stopAndFind(nginx.url)
  say(
    `kill -9 of one of two: ${told(load.outcome)}; all found; ${again.length} of ${LISTENERS} streams went on by the other`,
  )
  demandNone(load.outcome.broken, 'connections broke off')
  demandNone(load.outcome.unclear.length, `answers were unclear: ${load.outcome.unclear[0]}`)
  replicas.set(port, await start(port))
  await sleep(SEEN_AGAIN_MS)
}

async function rollRestart(person: Person, listeners: Listener[]) {
  const load = await startLoad(person, nginx.url)
  const before = listeners.map(({ ready }) => ready)
  for (const port of ports) {
    await sleep(UNDER_LOAD_MS / 2)
    await replicas.get(port)?.end('SIGTERM')
    replicas.set(port, await start(port))
    await sleep(SEEN_AGAIN_MS)
  }
  await load.stopAndFind(nginx.url)
  const { refused, broken, unclear } = load.outcome
  say(`Rolling restart: ${told(load.outcome)}; all found`)
  demandNone(refused + broken + unclear.length, `requests failed ${unclear[0] ?? ''}`)
  await eventually(
    () => listeners.every(({ ready }, index) => ready > (before[index] ?? 0)),
    'a stream of events did not open anew',
  )
}

function demandNone(count: number, what: string) {
  if (count > 0) throw new Error(`${count} ${what}`)
}
