import { connect, type Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Timeouts } from '#server/platform/limits/settings.ts'
import { connectionOptions, limitBodies } from './connections.ts'

let app: FastifyInstance
let socket: Socket
let received: string
let reached: string[]

beforeEach(() => open({ headers: 300, request: 900, connection: 60_000 }))
afterEach(close)

async function open(timeouts: Timeouts) {
  app = fastify(connectionOptions(timeouts))
  limitBodies(app, timeouts)
  reached = []
  app.post('/files', { config: { takesFiles: true } }, async () => void reached.push('/files'))
  app.post('/', async () => void reached.push('/'))
  const refuse = {
    onRequest: async () => Promise.reject(Object.assign(new Error('No'), { statusCode: 401 })),
  }
  app.post('/refused', refuse, async () => undefined)
  app.post('/refused-files', { ...refuse, config: { takesFiles: true } }, async () => undefined)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  socket = connect(Number(port), '127.0.0.1')
  received = ''
  socket.on('data', (data) => {
    received += data.toString()
  })
  socket.on('error', () => undefined) // the server may close it while we still write
}

async function close() {
  socket.destroy()
  await app.close()
}

/** Resolves once the connection is closed. `once` of node:events would reject if the server closes it while we still write. */
const closed = () => new Promise((resolve) => socket.once('close', resolve))

/** Sends a character at a time, until the server closes the connection. */
async function drip(text: string) {
  const ended = closed()
  const characters = [...text]
  const tap = setInterval(() => {
    const character = characters.shift()
    if (character !== undefined && socket.writable) socket.write(character)
  }, 50)
  await ended
  clearInterval(tap)
  return characters.length
}

const body = () => received.split('\r\n\r\n')[1] ?? ''

it('says that letters in a URL have to be encoded, as curl sends them', async () => {
  socket.write('GET /search?q=café HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await closed()
  expect(JSON.parse(body())).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('percent-encoded'),
  })
})

describe('a client that sends a byte at a time', () => {
  it('is disconnected while it sends headers', async () => {
    const left = await drip(`POST / HTTP/1.1\r\nhost: localhost\r\nx-slow: ${'a'.repeat(1_000)}`)
    expect(left).toBeGreaterThan(0)
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(body())).toEqual({
      code: 'too_slow',
      message: 'The request took too long to arrive',
    })
  })

  it('is disconnected while it sends the body', async () => {
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n')
    socket.write('content-length: 1000\r\n\r\n')
    expect(await drip(`"${'a'.repeat(990)}`)).toBeGreaterThan(0)
    expect(reached).toEqual([])
    expect(JSON.parse(body())).toMatchObject({ code: 'too_slow' })
  })

  it.each(['/refused', '/refused-files'])(
    'is disconnected while it continues to send to %s after the response',
    async (path) => {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`)
      socket.write('content-length: 1000\r\n\r\n')
      expect(await drip(`"${'a'.repeat(990)}`)).toBeGreaterThan(0)
      expect(received).toMatch(/^HTTP\/1\.1 401 /)
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
    },
  )

  it('can use the connection again once its body was received after the response', async () => {
    await close()
    await open({ headers: 60_000, request: 60_000, connection: 60_000 })
    const post = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n`
    socket.write(post('/refused'))
    await expect.poll(() => received).toMatch(/ 401 /)
    socket.write('{}')
    socket.write(`${post('/')}{}`)
    await expect.poll(() => reached).toEqual(['/'])
  })

  it('may take longer to send a file', async () => {
    socket.write(
      'POST /files HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n',
    )
    socket.write('content-length: 27\r\n\r\n')
    expect(await drip(`"${'a'.repeat(25)}"`)).toBe(0)
    expect(reached).toEqual(['/files'])
  })
})

it('a call from within the process has no connection to close if it is refused before its body is read', async () => {
  vi.useFakeTimers()
  const refused = await app.inject({ method: 'POST', url: '/refused', payload: { name: 'x' } })
  expect(refused.statusCode).toBe(401)
  await vi.advanceTimersByTimeAsync(900)
  vi.useRealTimers()
})

describe('an invalid request', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'invalid'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'invalid',
    ],
    [
      'a length and a transfer coding, which two servers might split differently',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid',
    ],
    ['a line feed in a header', 'POST / HTTP/1.1\r\nhost: x\r\nx-a: b\rc: d\r\n\r\n', 400, 'invalid'],
    [
      'headers without end',
      `POST / HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s is refused with an error response and closes the connection', async (_, request, status, code) => {
    const ended = closed()
    socket.write(request)
    await ended
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(body()).code).toBe(code)
    expect(reached).toEqual([])
  })
})
