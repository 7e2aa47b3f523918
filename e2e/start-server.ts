import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { leftover } from './leftovers.ts'

export type RunningServer = {
  url: string
  dataDir: string
  pid: number
  /** Sends a signal and waits for the end; what it leaves behind stays until `stop`. */
  end: (signal: NodeJS.Signals) => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts the built product on a free port and an empty data folder, where the settings name no others; `preload` is a
 * module that Node loads first.
 */
export async function startServer(
  settings: Record<string, string> = {},
  preload?: URL,
): Promise<RunningServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'milepost-e2e-'))
  await chmod(dataDir, 0o711)
  const port = Number(settings.PORT) || (await freePort())
  const url = `http://localhost:${port}`
  const program = ['--max-semi-space-size=8', '--heap-growing-percent=50', 'server/main.ts']
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
      ...settings,
    },
  })
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const stop = leftover(async () => {
    await end('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  })
  await ready(server, `${url}/readyz`)
  return { url, dataDir: settings.DATA_DIR ?? dataDir, pid: server.pid ?? 0, end, stop }
}

/** A port of this machine on which nobody listens. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port could be found')
  return address.port
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    if (server.exitCode !== null)
      throw new Error(`the server ended with code ${server.exitCode} before it was ready`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
  }
  server.kill('SIGKILL')
  throw new Error('the server was not ready within a minute')
}
