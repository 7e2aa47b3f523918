import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { testBucket } from '#server/platform/storage/testing.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { cleanUpOnSignal, registerCleanup } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { type EventStream, openEventStream } from '#testing/event-stream.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { eventually } from '#verification/chaos/assertions.ts'
import { startLoad, summarize } from '#verification/chaos/load.ts'
import { startNginx } from './nginx.ts'

const STREAMS = 10
const UNDER_LOAD_MS = 5_000
/** A little longer than nginx avoids a replica that it could not reach. */
const BACK_IN_ROTATION_MS = 2_500
const report = (text: string) => console.log(text)

cleanUpOnSignal(console.error)
const database = await startDatabase()
const bucket = await testBucket()
const closeBucket = registerCleanup(bucket.close)
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
  report(`Two replicas on one database and one bucket, behind nginx at ${nginx.url}`)
  await journey()
  const account = await createAccount(nginx.url)
  const streams = Array.from({ length: STREAMS }, () => openEventStream(nginx.url, account.token))
  await killOne(account, streams)
  await rollRestart(account, streams)
  for (const stream of streams) stream.close()
} finally {
  await Promise.all([...replicas.values()].map((replica) => replica.end('SIGKILL')))
  await Promise.all([...replicas.values()].map((replica) => replica.stop()))
  await nginx.stop()
  await closeBucket()
  await database.remove()
}

/** Runs a journey of the browser tests through the load balancer. */
async function journey() {
  const browser = spawn(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', 'e2e/main-job.spec.ts', '--reporter=line'],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, MILEPOST_URL: nginx.url } },
  )
  const [code] = (await once(browser, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the journey in a browser failed; npm run test:e2e says more')
  report('Journey in a real browser through nginx: done')
}

async function killOne(account: Account, streams: EventStream[]) {
  await eventually(() => streams.every(({ opened }) => opened > 0), 'a stream of events did not open')
  const load = await startLoad(account, nginx.url)
  await sleep(UNDER_LOAD_MS)
  const before = streams.map(({ opened }) => opened)
  const [port = 0] = ports
  await replicas.get(port)?.end('SIGKILL')
  const reopened = () => streams.filter(({ opened }, index) => opened > (before[index] ?? 0))
  await sleep(UNDER_LOAD_MS)
  const again = reopened()
  if (again.length === 0 || again.length === streams.length)
    throw new Error(`${again.length} of ${streams.length} streams were reopened, not those of one replica`)
  const counts = streams.map(({ events }) => events)
  await eventually(
    () => streams.every(({ events }, index) => events > (counts[index] ?? 0)),
    'a stream receives no more events',
  )
  await load.stopAndVerify(nginx.url)
  report(
    `kill -9 of one of two: ${summarize(load.result)}; all found; ${again.length} of ${STREAMS} streams went on by the other`,
  )
  assertNone(load.result.broken, 'connections broke off')
  assertNone(load.result.unclear.length, `responses were unclear: ${load.result.unclear[0]}`)
  replicas.set(port, await start(port))
  await sleep(BACK_IN_ROTATION_MS)
}

async function rollRestart(account: Account, streams: EventStream[]) {
  const load = await startLoad(account, nginx.url)
  const before = streams.map(({ opened }) => opened)
  for (const port of ports) {
    await sleep(UNDER_LOAD_MS / 2)
    await replicas.get(port)?.end('SIGTERM')
    replicas.set(port, await start(port))
    await sleep(BACK_IN_ROTATION_MS)
  }
  await load.stopAndVerify(nginx.url)
  const { refused, broken, unclear } = load.result
  report(`Rolling restart: ${summarize(load.result)}; all found`)
  assertNone(refused + broken + unclear.length, `requests failed ${unclear[0] ?? ''}`)
  await eventually(
    () => streams.every(({ opened }, index) => opened > (before[index] ?? 0)),
    'a stream of events did not reopen',
  )
}

function assertNone(count: number, what: string) {
  if (count > 0) throw new Error(`${count} ${what}`)
}
