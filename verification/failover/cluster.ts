import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { renderTemplate } from '#testing/deploy.ts'
import {
  createWorkDirectory,
  lastingPort,
  outputEnd,
  prepareFile,
  signalAll,
  startProgram,
  type WorkDirectory,
} from './programs.ts'

const HOST = '127.0.0.1'
const PROGRAMS = '/usr/lib/postgresql'
const WAIT_MS = 90_000
/** HAProxy considers each node the primary until its first checks have failed. */
const FIRST_CHECKS_MS = 4_000

/** A database node: Patroni and its PostgreSQL. */
export type Node = { name: string; folder: string; port: number; apiPort: number }

type Member = { name: string; role: string; state: string }

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts etcd, two nodes of Patroni with a synchronous standby, and HAProxy on this machine, with the files in `deploy/`.
 * Throws if they are not ready in time.
 */
export async function startCluster() {
  const home = await createWorkDirectory()
  try {
    return await startIn(home)
  } catch (error) {
    await home.remove()
    throw error
  }
}

async function startIn(home: WorkDirectory) {
  const password = randomBytes(18).toString('hex')
  const etcd = await startEtcd(home)
  const nodes = [await makeNode(home, 'd1'), await makeNode(home, 'd2')]
  const programs = await newestPrograms()
  const startNode = async ({ name, folder, port, apiPort }: Node) => {
    const config = await renderTemplate('patroni.yml.template', {
      NODE_NAME: name,
      NODE_IP: HOST,
      NODE_PORT: String(port),
      NODE_API_PORT: String(apiPort),
      NODE_PROGRAMS: programs,
      NODE_DATA: path.join(folder, 'data'),
      CLUSTER_NETWORK: `${HOST}/32`,
      CLUSTER_ETCD: etcd,
      CLUSTER_PASSWORD: password,
    })
    await startProgram(home, folder, 'patroni', [await prepareFile(home, `${name}/config.yml`, config)])
  }
  const [first, second] = nodes as [Node, Node]
  await startNode(first)
  await until(() => isPrimary(first), `the first node did not become the primary`, first)
  await startNode(second)
  await waitForStandby(nodes)
  const port = await startHaproxy(home, nodes)
  const databaseUrl = (at: number) => `postgres://milepost:${password}@${HOST}:${at}/milepost`
  const administer = async (...statements: string[]) => {
    const url = new URL(databaseUrl(port))
    Object.assign(url, { username: 'postgres', pathname: '/postgres' })
    await execute(url.href, statements)
  }
  await sleep(FIRST_CHECKS_MS)
  await administer(
    `create role milepost login password '${password}'`,
    'create database milepost owner milepost',
  )

  return {
    /** For servers under test: through HAProxy. */
    url: databaseUrl(port),
    /** Returns the URL of one node, in whichever role. */
    urlOf: (node: Node) => databaseUrl(node.port),
    /** Runs statements as the superuser of the database. */
    administer,
    primary: () => primaryOf(nodes),
    async standby() {
      const { name } = await primaryOf(nodes)
      return nodes.find((node) => node.name !== name) as Node
    },
    /** Kills all processes of a node, like a power failure. */
    kill: (node: Node) => signalAll(node.folder, 'SIGKILL'),
    /** Stops all processes of a node: its connections stay open without responses. */
    freeze: (node: Node) => signalAll(node.folder, 'SIGSTOP'),
    thaw: (node: Node) => signalAll(node.folder, 'SIGCONT'),
    startNode,
    /** Makes Patroni promote the standby, as before maintenance. */
    switchOver: async () => switchOver(await primaryOf(nodes), password),
    /** Waits until there is a primary with a synchronous standby. */
    whole: () => waitForStandby(nodes),
    /** Starts a pooler in front of HAProxy; returns the URL of the database behind it. */
    async startPooler() {
      const pooler = await lastingPort()
      const folder = await prepareFile(home, 'pgbouncer')
      const users = await prepareFile(home, 'pgbouncer/users.txt', `"milepost" "${password}"\n`)
      const config = await renderTemplate('pgbouncer.ini.template', {
        DATABASE_HOST: HOST,
        DATABASE_PORT: String(port),
        POOLER_PORT: String(pooler),
        POOLER_USERS: users,
      })
      await startProgram(home, folder, 'pgbouncer', [
        await prepareFile(home, 'pgbouncer/pgbouncer.ini', config),
      ])
      return databaseUrl(pooler)
    },
    remove: home.remove,
  }
}

async function startEtcd(home: WorkDirectory): Promise<string> {
  const [client, peer] = [await lastingPort(), await lastingPort()].map((port) => `${HOST}:${port}`)
  const folder = await prepareFile(home, 'etcd')
  const urls = { client: `http://${client}`, peer: `http://${peer}` }
  await startProgram(home, folder, 'etcd', [
    '--enable-v2',
    '--name=e1',
    `--data-dir=${path.join(folder, 'data')}`,
    `--listen-client-urls=${urls.client}`,
    `--advertise-client-urls=${urls.client}`,
    `--listen-peer-urls=${urls.peer}`,
    `--initial-advertise-peer-urls=${urls.peer}`,
    `--initial-cluster=e1=${urls.peer}`,
  ])
  await until(() => isOk(`${urls.client}/health`), 'etcd did not start', { folder })
  return client ?? ''
}

async function startHaproxy(home: WorkDirectory, nodes: Node[]): Promise<number> {
  const port = await lastingPort()
  const folder = await prepareFile(home, 'haproxy')
  const config = await renderTemplate('haproxy.cfg.template', {
    DATABASE_LISTEN: `${HOST}:${port}`,
    DATABASE_NODES: nodes
      .map((node) => `server ${node.name} ${HOST}:${node.port} check port ${node.apiPort}`)
      .join('\n  '),
  })
  await startProgram(home, folder, 'haproxy', [
    '-db',
    '-f',
    await prepareFile(home, 'haproxy/haproxy.cfg', config),
  ])
  return port
}

async function makeNode(home: WorkDirectory, name: string): Promise<Node> {
  const folder = await prepareFile(home, name)
  return { name, folder, port: await lastingPort(), apiPort: await lastingPort() }
}

/** Debian has a directory for each major version of PostgreSQL. */
async function newestPrograms(): Promise<string> {
  const versions = (await readdir(PROGRAMS)).map(Number).filter(Number.isInteger)
  return path.join(PROGRAMS, String(Math.max(...versions)), 'bin')
}

const isOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const isPrimary = (node: Node) => isOk(`http://${HOST}:${node.apiPort}/primary`)

async function primaryOf(nodes: Node[]): Promise<Node> {
  for (const node of nodes) if (await isPrimary(node)) return node
  throw new Error('the database has no primary')
}

async function waitForStandby(nodes: Node[]): Promise<void> {
  const isWhole = async () => {
    const roles = (await members(await primaryOf(nodes))).map(({ role, state }) => `${role} ${state}`)
    return (
      roles.includes('leader running') &&
      roles.some((role) => /^sync_standby (?:running|streaming)$/.test(role))
    )
  }
  await until(isWhole, 'the database has no synchronous standby', ...nodes)
}

async function members(node: Node): Promise<Member[]> {
  const response = await fetch(`http://${HOST}:${node.apiPort}/cluster`, {
    signal: AbortSignal.timeout(2_000),
  })
  return ((await response.json()) as { members: Member[] }).members
}

async function switchOver(leader: Node, password: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}`
  const response = await fetch(`http://${HOST}:${leader.apiPort}/switchover`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ leader: leader.name }),
  })
  if (!response.ok) throw new Error(`the switchover was refused: ${await response.text()}`)
}

/** Waits for a condition. If it throws, it does not hold yet. */
async function until(condition: () => Promise<boolean>, message: string, ...said: { folder: string }[]) {
  for (const deadline = Date.now() + WAIT_MS; !(await condition().catch(() => false)); await sleep(200)) {
    if (Date.now() < deadline) continue
    const words = await Promise.all(said.map(({ folder }) => outputEnd(folder)))
    throw new Error(`${message}:\n${words.join('\n\n')}`)
  }
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined) // the pending query also rejects
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
