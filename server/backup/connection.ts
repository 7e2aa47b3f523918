import { Socket } from 'node:net'
import { Client, type PoolConfig } from 'pg'

/**
 * Works on a connection of its own, which is cut where the work fails or is stopped: the server then rolls back what
 * was not committed. A COPY that is broken off leaves no other way to end it.
 */
export async function onConnection<T>(
  { config, stop }: { config: PoolConfig; stop: AbortSignal },
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = new Socket()
  const client = new Client({ ...config, application_name: name, stream: () => socket })
  // Whoever waits for a query hears of it too.
  client.on('error', () => undefined)
  const cut = () => socket.destroy()
  stop.addEventListener('abort', cut)
  try {
    stop.throwIfAborted()
    await client.connect()
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    stop.throwIfAborted()
    throw error
  } finally {
    stop.removeEventListener('abort', cut)
    cut()
  }
}
