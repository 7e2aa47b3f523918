import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerCleanup, temporaryDirectory } from './cleanup.ts'

export type RunningServer = {
  url: string
  dataDir: string
  pid: number
  /** Sends a signal and waits for the process to exit. The data directory remains until `stop`. */
  end: (signal: NodeJS.Signals) => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts the built product on a free port with an empty data directory, unless the settings contain others. Node first loads
 * the module `preload`.
 */
export async function startServer(
  settings: Record<string, string> = {},
  preload?: URL,
): Promise<RunningServer> {
  const { directory: dataDir, remove } = await temporaryDirectory()
  const port = Number(settings.PORT) || (await freePort())
  const url = `http://localhost:${port}`
  const program = [
    '--max-semi-space-size=8',
    '--heap-growing-percent=20',
    '--no-allocation-site-pretenuring',
    'server/main.ts',
  ]
  const server = spawn(process.execPath, [...(preload ? ['--import', preload.href] : []), ...program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      RATE_LIMIT: 'off',
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '2',
      ...settings,
    },
  })
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  const stop = registerCleanup(async () => {
    await end('SIGTERM')
    await remove()
  })
  await waitUntilReady(server, `${url}/readyz`)
  return { url, dataDir: settings.DATA_DIR ?? dataDir, pid: server.pid ?? 0, end, stop }
}

/** Starts a second server process on the database, secret and files of the first, as `docs/operations/several-servers.md` describes. */
export async function startReplica(first: RunningServer): Promise<RunningServer> {
  return startServer({
    PUBLIC_URL: first.url,
    DATA_DIR: first.dataDir,
    DATABASE_URL: await embeddedDatabaseUrl(first.dataDir),
    DATABASE_POOL_SIZE: '5',
  })
}

/** Returns the URL of the embedded database in a data directory. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const home = path.join(dataDir, 'postgres')
  const password = await readFile(path.join(home, 'password'), 'utf8')
  const [, , , port = '', socketFolder = ''] = (
    await readFile(path.join(home, 'cluster', 'postmaster.pid'), 'utf8')
  ).split('\n')
  const url = new URL(`postgresql://milepost@127.0.0.1:${port}/milepost`)
  url.password = password
  if (socketFolder) url.searchParams.set('host', socketFolder)
  return url.href
}

/** Returns a TCP port of this machine that is not in use. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no free port was found')
  return address.port
}

/** On a busy machine a start takes long. */
const READY_MS = 180_000

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(100)) {
    if (server.exitCode !== null)
      throw new Error(`the server exited with code ${server.exitCode} before it was ready`)
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
  }
  server.kill('SIGKILL')
  throw new Error('the server was not ready within three minutes')
}
