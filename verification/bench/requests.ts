import { connect } from 'node:net'

/** A GET request or, with a body, a POST request with JSON. */
export type Request = { port: number; path: string; headers: Record<string, string>; body?: string }

const CONNECTIONS = 16

/** Sends a request `count` times over a few keep-alive connections. Throws unless every response has `status`. */
export function repeat(request: Request, count: number, status: number): Promise<void> {
  return repeatEach(
    Array.from({ length: CONNECTIONS }, () => request),
    count,
    status,
  )
}

/** Like `repeat`, with one connection per request; `count` is the total. */
export async function repeatEach(requests: Request[], count: number, status: number): Promise<void> {
  let left = count
  const take = () => (left > 0 ? (left -= 1) >= 0 : false)
  await Promise.all(requests.map((request) => oneConnection(request, take, status)))
}

/** Returns the port of a URL. */
export const portOf = (url: string) => Number(new URL(url).port)

function oneConnection(
  { port, path, headers, body = '' }: Request,
  take: () => boolean,
  status: number,
): Promise<void> {
  const entity = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host: `localhost:${port}`, ...headers, ...entity }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const text = [`${body ? 'POST' : 'GET'} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = Buffer.alloc(0)
    const next = () => {
      if (take()) socket.write(text)
      else socket.end(() => resolve())
    }
    socket.setNoDelay(true).once('connect', next).once('error', reject)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const end = responseEnd(received, status)
      if (end === 'wrong') socket.destroy(new Error(received.toString('latin1').split('\r\n', 1)[0]))
      if (typeof end !== 'number' || received.length < end) return
      received = Buffer.alloc(0)
      next()
    })
  })
}

/** Returns the offset at which the first response ends; undefined until its headers are complete. */
function responseEnd(bytes: Buffer, status: number): number | 'wrong' | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const text = bytes.toString('latin1', 0, head)
  if (!text.startsWith(`HTTP/1.1 ${status}`)) return 'wrong'
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
