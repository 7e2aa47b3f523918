import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#testing/start-server.ts'
import { eventually, p99 } from './assertions.ts'

const CLIENTS = 500
const TIMEOUT_SECONDS = 10
const HEADERS = 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '
const BODY =
  'POST /api/projects HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n'

/** Clients that send a byte a second, half of them in their headers, half in a body: others are served, they are cut off. */
export async function slow(report: (text: string) => void): Promise<void> {
  const timeout = String(TIMEOUT_SECONDS)
  const server = await startServer({ HEADERS_TIMEOUT: timeout, REQUEST_TIMEOUT: timeout })
  const sockets = new Set<Socket>()
  try {
    const before = await p99(server.url)
    const start = Date.now()
    for (let client = 0; client < CLIENTS; client += 1)
      sockets.add(sendSlowly(Number(new URL(server.url).port), client % 2 ? HEADERS : BODY, sockets))
    await sleep(1_000)
    const open = sockets.size
    const meanwhile = await p99(server.url)
    await eventually(() => sockets.size === 0, `${sockets.size} slow clients were not cut off`, 60_000)
    const took = Math.round((Date.now() - start) / 1000)
    report(
      `${open} clients with a byte a second: p99 of the landing page ${before} ms before, ${meanwhile} ms meanwhile; all cut off after ${took} s (limit ${TIMEOUT_SECONDS} s)`,
    )
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

function sendSlowly(port: number, text: string, open: Set<Socket>): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  const drip = setInterval(() => socket.write('x'), 1_000)
  socket.on('close', () => {
    clearInterval(drip)
    open.delete(socket)
  })
  socket.on('error', () => socket.destroy()) // it was cut off
  socket.resume()
  return socket
}
