import { connect } from 'node:net'

export type Request = { port: number; path: string; headers: Record<string, string> }

const CONNECTIONS = 16

/** Sends a request so many times over a few kept connections, one after the other on each. Throws unless all answer with `status`. */
export async function repeat(request: Request, count: number, status: number): Promise<void> {
  let left = count
  const take = () => (left > 0 ? (left -= 1) >= 0 : false)
  await Promise.all(Array.from({ length: CONNECTIONS }, () => oneConnection(request, take, status)))
}

function oneConnection({ port, path, headers }: Request, take: () => boolean, status: number): Promise<void> {
  const lines = Object.entries({ host: `localhost:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const text = [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
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
      const end = answerEnd(received, status)
      if (end === 'wrong') socket.destroy(new Error(received.toString('latin1').split('\r\n', 1)[0]))
      if (typeof end !== 'number' || received.length < end) return
      received = Buffer.alloc(0)
      next()
    })
  })
}

/** Where the first answer among the bytes ends; undefined until its head is there. */
function answerEnd(bytes: Buffer, status: number): number | 'wrong' | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const text = bytes.toString('latin1', 0, head)
  if (!text.startsWith(`HTTP/1.1 ${status}`)) return 'wrong'
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}
