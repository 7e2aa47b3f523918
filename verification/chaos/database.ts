import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '#testing/account.ts'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { killEmbeddedDatabase, startDatabase } from '#testing/database.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { assert, eventually, p99 } from './assertions.ts'
import { startLoad, summarize } from './load.ts'

const OUTAGE_MS = 20_000
const UNDER_LOAD_MS = 2_000
const RECOVERY_MS = 30_000

/** Makes the database unavailable under load: errors are clear, and everything works again when it is back, without a restart. */
export async function outage(report: (text: string) => void): Promise<void> {
  const database = await startDatabase()
  const server = await startServer({ DATABASE_URL: database.url })
  try {
    const load = await startLoad(await createAccount(server.url), server.url)
    await sleep(UNDER_LOAD_MS)
    await database.stop()
    await sleep(OUTAGE_MS)
    const [ready, healthy] = await Promise.all([
      statusOf(`${server.url}/readyz`),
      statusOf(`${server.url}/healthz`),
    ])
    assert(
      ready === 503 && healthy === 200,
      `without its database it said readyz ${ready}, healthz ${healthy}`,
    )
    const before = load.result.acknowledged.size
    await database.start()
    const back = Date.now()
    while (load.result.acknowledged.size === before) {
      assert(
        Date.now() - back < RECOVERY_MS,
        'nothing could be written half a minute after the database was back',
      )
      await sleep(20)
    }
    const recovered = Date.now() - back
    await sleep(UNDER_LOAD_MS)
    await load.stopAndVerify(server.url)
    const { broken, unclear, refused } = load.result
    report(
      `database gone for ${OUTAGE_MS / 1000} s: ${summarize(load.result)}; all found; writing again ${recovered} ms after its return`,
    )
    assert(refused > 0, 'nothing was refused')
    assert(broken + unclear.length === 0, `not every error was clear: ${broken} broken off, ${unclear[0]}`)
  } finally {
    await server.stop()
    await database.remove()
  }
}

const statusOf = async (url: string) => (await fetch(url)).status

const ROUNDS = 5
const UNDER_LOAD_BEFORE_KILL_MS = 1_500

type Report = (text: string) => void

/** Kills the server while it writes, every second time its database too. Everything acknowledged must exist afterwards. */
export async function kill(report: Report): Promise<void> {
  await withTemporaryDirectory((folder) =>
    rounds('its own database', { DATA_DIR: folder }, () => killEmbeddedDatabase(folder), report),
  )
  const database = await startDatabase()
  try {
    await rounds('a database of its own machine', { DATABASE_URL: database.url }, database.kill, report)
  } finally {
    await database.remove()
  }
}

async function rounds(
  name: string,
  given: Record<string, string>,
  killDatabase: () => Promise<void>,
  report: Report,
) {
  await withTemporaryDirectory(async (folder) => {
    const settings = { DATA_DIR: folder, PORT: String(await freePort()), ...given }
    let server: RunningServer = await startServer(settings)
    let acknowledged = 0
    try {
      const account = await createAccount(server.url)
      for (let round = 0; round < ROUNDS; round += 1) {
        const load = await startLoad(account, server.url)
        await sleep(UNDER_LOAD_BEFORE_KILL_MS)
        if (round % 2 === 1) await killDatabase()
        await server.end('SIGKILL')
        await server.stop()
        server = await startServer(settings)
        await load.stopAndVerify(server.url)
        acknowledged += load.result.acknowledged.size
      }
    } finally {
      await server.stop()
    }
    report(`on ${name}: ${ROUNDS} times kill -9, ${acknowledged} entries acknowledged, all found`)
  })
}

const CLIENTS = 500
const TIMEOUT_SECONDS = 10
const HEADERS = 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '
const BODY =
  'POST /api/projects HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n'

/** Opens clients that send a byte a second, half of them in their headers, half in a body: others are served, they are disconnected. */
export async function slow(report: (text: string) => void): Promise<void> {
  const timeout = String(TIMEOUT_SECONDS)
  const server = await startServer({ HEADERS_TIMEOUT: timeout, REQUEST_TIMEOUT: timeout })
  const sockets = new Set<Socket>()
  try {
    const before = await p99(server.url)
    const start = Date.now()
    for (let client = 0; client < CLIENTS; client += 1)
      sockets.add(sendSlowly(Number(new URL(server.url).port), client % 2 ? HEADERS : BODY, sockets))
    await sleep(1_000)
    const open = sockets.size
    const meanwhile = await p99(server.url)
    await eventually(() => sockets.size === 0, 'not all of the slow clients were cut off', 60_000)
    const took = Math.round((Date.now() - start) / 1000)
    report(
      `${open} clients with a byte a second: p99 of the landing page ${before} ms before, ${meanwhile} ms meanwhile; all cut off after ${took} s (limit ${TIMEOUT_SECONDS} s)`,
    )
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

function sendSlowly(port: number, text: string, open: Set<Socket>): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  const drip = setInterval(() => socket.write('x'), 1_000)
  socket.on('close', () => {
    clearInterval(drip)
    open.delete(socket)
  })
  socket.on('error', () => socket.destroy()) // it was disconnected
  socket.resume()
  return socket
}
