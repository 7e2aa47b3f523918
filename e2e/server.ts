import { startServer } from './start-server.ts'

/** Starts the built product for all journeys, which find it in MILEPOST_URL; one that is named there already is used. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MILEPOST_URL) return undefined
  const { url, stop } = await startServer()
  process.env.MILEPOST_URL = url
  return stop
}
