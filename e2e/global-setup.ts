import { createAccount } from '#testing/account.ts'
import { startServer } from '#testing/start-server.ts'

/** Starts the built product and sets MILEPOST_URL for all journeys, unless MILEPOST_URL already names a server. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MILEPOST_URL) return undefined
  const { url, stop } = await startServer({}, new URL('fixtures/cheap-passwords.ts', import.meta.url))
  process.env.MILEPOST_URL = url
  // The first account is the administrator: no journey depends on which of them comes first.
  await createAccount(url, 'The administrator')
  return stop
}
