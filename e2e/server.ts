import { startServer } from './start-server.ts'

/** Starts the built product for all journeys, which find it in MILEPOST_URL. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, stop } = await startServer()
  process.env.MILEPOST_URL = url
  return stop
}
