import { startServer } from '#testing/start-server.ts'

/** Starts the built product and sets MILEPOST_URL for all journeys, unless MILEPOST_URL already names a server. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MILEPOST_URL) return undefined
  const { url, stop } = await startServer()
  process.env.MILEPOST_URL = url
  return stop
}
