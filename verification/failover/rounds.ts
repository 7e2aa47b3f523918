import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, createAccount } from '#testing/account.ts'
import { type EventStream, openEventStream } from '#testing/event-stream.ts'
import { residentMegabytes } from '#testing/memory.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { eventually } from '#verification/chaos/assertions.ts'
import { startNginx } from '#verification/replicas/nginx.ts'
import type { Cluster } from './cluster.ts'
import { type Found, startLoad, type Tally } from './load.ts'

/** The row of a round in the table. */
export type Line = {
  round: string
  /** The time until writes were acknowledged again, or until the server was ready, in milliseconds. */
  backAfter: number
  load?: { tally: Tally; found: Found; streams: Streams; megabytes: { before: number; after: number } }
  /** The result of a round without load. */
  note?: string
}

/** Event streams afterwards: how many of how many receive events, when the last one did (in milliseconds), and how many were reopened. */
type Streams = { alive: number; of: number; after: number; reopened: number }

/** Servers under test, their public URL, and an account there. */
type Site = { url: string; servers: RunningServer[]; account: Account }

type Round = (cluster: Cluster, add: (line: Line) => void) => Promise<void>

const STREAMS = 4
const UNDER_LOAD_MS = 5_000
const BACK_WITHIN_MS = 60_000
/** The time limit after writes are acknowledged again. */
const STREAMS_WITHIN_MS = 15_000
/** Writing has resumed once this many writes are acknowledged within a second. */
const WRITING_AGAIN = 5
const KILLS = 3

/** Runs one server through all database failures, without a restart. */
async function oneServer(cluster: Cluster, add: (line: Line) => void) {
  const server = await startServer({ DATABASE_URL: cluster.url })
  const site = { url: server.url, servers: [server], account: await createAccount(server.url) }
  try {
    for (let count = 1; count <= KILLS; count += 1)
      add(await underLoad(`node of the primary killed, ${count} of ${KILLS}`, cluster, site, killNode))
    add(await underLoad('node of the primary frozen', cluster, site, freezeNode))
    add(await underLoad('switchover', cluster, site, switchOver))
  } finally {
    await server.stop()
  }
}

async function behindNginx(cluster: Cluster, add: (line: Line) => void) {
  const ports = [await freePort(), await freePort()]
  const nginx = await startNginx(await freePort(), ports)
  const shared = {
    PUBLIC_URL: nginx.url,
    DATABASE_URL: cluster.url,
    TOKEN_SECRET: randomBytes(32).toString('base64'),
    TRUST_PROXY: 'loopback',
    DRAIN_SECONDS: '4',
  }
  const servers: RunningServer[] = []
  try {
    for (const port of ports) servers.push(await startServer({ ...shared, PORT: String(port) }))
    const site = { url: nginx.url, servers, account: await createAccount(nginx.url) }
    add(await underLoad('two servers behind nginx, node killed', cluster, site, killNode))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await nginx.stop()
  }
}

async function behindPooler(cluster: Cluster, add: (line: Line) => void) {
  // As the documentation recommends for a pooler that ignores them at the start of a connection.
  await cluster.administer(
    "alter role milepost set statement_timeout = '15s'",
    "alter role milepost set idle_in_transaction_session_timeout = '15s'",
  )
  const server = await startServer({ DATABASE_URL: await cluster.startPooler() })
  try {
    const site = { url: server.url, servers: [server], account: await createAccount(server.url) }
    add(await underLoad('pgbouncer (session) between, node killed', cluster, site, killNode))
  } finally {
    await server.stop()
  }
}

/** A standby is read-only: a server that connects to it must report that and not start. */
async function onStandby(cluster: Cluster, add: (line: Line) => void) {
  const start = performance.now()
  const outcome = await startServer({ DATABASE_URL: cluster.urlOf(await cluster.standby()) }).catch(
    (error: unknown) => error,
  )
  const backAfter = performance.now() - start
  if (!(outcome instanceof Error)) {
    await (outcome as RunningServer).stop()
    throw new Error('a server on a standby said that it was ready')
  }
  add({ round: 'start on a standby', backAfter, note: `refused: ${outcome.message}` })
}

/** While the balancer has no primary, a starting server waits as for a database that is not running yet. */
async function withoutPrimary(cluster: Cluster, add: (line: Line) => void) {
  const node = await cluster.primary()
  await cluster.kill(node)
  await sleep(UNDER_LOAD_MS)
  const start = performance.now()
  const server = await startServer({ DATABASE_URL: cluster.url })
  add({
    round: 'start while there is no primary',
    backAfter: performance.now() - start,
    note: 'waited, ready',
  })
  await server.stop()
  await cluster.startNode(node)
  await cluster.whole()
}

/** The rounds by their names on the command line, in order. */
export const rounds: Record<string, Round> = {
  server: oneServer,
  nginx: behindNginx,
  pgbouncer: behindPooler,
  standby: onStandby,
  start: withoutPrimary,
}

/** Injects a fault into the cluster under load; returns a function that repairs it. */
type Fault = (cluster: Cluster) => Promise<() => Promise<void>>

const killNode: Fault = async (cluster) => {
  const node = await cluster.primary()
  await cluster.kill(node)
  return () => cluster.startNode(node)
}

const freezeNode: Fault = async (cluster) => {
  const node = await cluster.primary()
  await cluster.freeze(node)
  return () => cluster.thaw(node)
}

const switchOver: Fault = async (cluster) => {
  await cluster.switchOver()
  return async () => undefined
}

async function underLoad(round: string, cluster: Cluster, site: Site, fault: Fault): Promise<Line> {
  await cluster.whole()
  const { url, servers, account } = site
  const streams = Array.from({ length: STREAMS }, () => openEventStream(url, account.token))
  await eventually(() => streams.every(({ opened }) => opened > 0), 'a stream of events did not open')
  const before = await megabytesOf(servers)
  const load = await startLoad(account, url)
  const { tally } = load
  try {
    await sleep(UNDER_LOAD_MS)
    const from = performance.now()
    const repair = await fault(cluster)
    // Long enough that earlier acknowledged writes do not count.
    await sleep(UNDER_LOAD_MS)
    await eventually(
      () => isWriting(tally),
      `${round}: nothing could be written a minute afterwards`,
      BACK_WITHIN_MS,
    )
    const backAfter = tally.longestPause(from)
    const events = streams.map((stream) => stream.events)
    const isAlive = (stream: EventStream, index: number) => stream.events > (events[index] ?? 0)
    await eventually(() => streams.every(isAlive), '', STREAMS_WITHIN_MS).catch(() => undefined) // shown in the table
    const streamsAfter = performance.now() - from
    const alive = streams.filter(isAlive).length
    await sleep(UNDER_LOAD_MS)
    await load.stop()
    const after = await megabytesOf(servers)
    await repair()
    await cluster.whole()
    const found = await load.verify()
    const reopened = streams.reduce((sum, { connected }) => sum + connected - 1, 0)
    return {
      round,
      backAfter,
      load: {
        tally,
        found,
        streams: { alive, of: STREAMS, after: streamsAfter, reopened },
        megabytes: { before, after },
      },
    }
  } finally {
    for (const stream of streams) stream.close()
    await load.stop()
  }
}

/** Returns whether writes have been acknowledged within the last second. */
const isWriting = (tally: Tally) => tally.writtenSince(performance.now() - 1_000) >= WRITING_AGAIN

async function megabytesOf(servers: RunningServer[]): Promise<number> {
  const each = await Promise.all(servers.map(({ pid }) => residentMegabytes(pid)))
  return each.reduce((sum, one) => sum + one, 0)
}
