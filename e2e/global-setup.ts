import { createAccount } from '#testing/account.ts'
import { startServer } from '#testing/start-server.ts'

/** Starts the built product and sets MILEPOST_URL and MILEPOST_DATA_DIR for all journeys, unless MILEPOST_URL already names a server. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MILEPOST_URL) return undefined
  // Playwright stops its web servers only on SIGINT.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.kill(process.pid, 'SIGINT'))
  // Inherited by the servers of the journeys and of their workers, so that they refuse no request for overload on a
  // busy machine.
  process.env.OVERLOAD_DELAY = '0'
  const { url, dataDir, stop } = await startServer(
    {},
    new URL('fixtures/cheap-passwords.ts', import.meta.url),
  )
  process.env.MILEPOST_URL = url
  process.env.MILEPOST_DATA_DIR = dataDir
  // The first account becomes the administrator, so no journey depends on which of its accounts is created first.
  await createAccount(url, 'The administrator')
  return stop
}
