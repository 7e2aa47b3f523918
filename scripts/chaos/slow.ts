import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#e2e/start-server.ts'
import { p99 } from './latency.ts'
import { eventually } from './listener.ts'

const CLIENTS = 500
const PATIENCE_SECONDS = 10
const HEADERS = 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '
const BODY =
  'POST /api/projects HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n'

/** Clients that send a byte a second, half of them in their headers, half in a body: others are served, they are cut off. */
export async function slow(say: (text: string) => void): Promise<void> {
  const patience = String(PATIENCE_SECONDS)
  const server = await startServer({ HEADERS_TIMEOUT: patience, REQUEST_TIMEOUT: patience })
  const sockets = new Set<Socket>()
  try {
    const before = await p99(server.url)
    const begun = Date.now()
    for (let client = 0; client < CLIENTS; client += 1)
      sockets.add(sendSlowly(Number(new URL(server.url).port), client % 2 ? HEADERS : BODY, sockets))
    await sleep(1_000)
    const standing = sockets.size
    const meanwhile = await p99(server.url)
    await eventually(() => sockets.size === 0, `${sockets.size} slow clients were not cut off`, 60_000)
    const took = Math.round((Date.now() - begun) / 1000)
    say(
      `${standing} clients with a byte a second: p99 of the landing page ${before} ms before, ${meanwhile} ms meanwhile; all cut off after ${took} s (limit ${PATIENCE_SECONDS} s)`,
    )
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

function sendSlowly(port: number, text: string, standing: Set<Socket>): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  const drip = setInterval(() => socket.write('x'), 1_000)
  socket.on('close', () => {
    clearInterval(drip)
    standing.delete(socket)
  })
  socket.on('error', () => socket.destroy()) // it was cut off
  socket.resume()
  return socket
}
