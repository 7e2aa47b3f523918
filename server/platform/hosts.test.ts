import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { handleErrors } from './error-handler.ts'
import { refuseSecondHost } from './hosts.ts'

const app = fastify()
let port: number
beforeAll(async () => {
  handleErrors(app)
  refuseSecondHost(app)
  app.get('/', async () => 'served')
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

async function answerTo(...headers: string[]) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET / HTTP/1.1\r\n${[...headers, 'Connection: close', '', ''].join('\r\n')}`)
  return text(socket)
}

it('a request with one Host header is served', async () => {
  expect(await answerTo('Host: here', 'X-Forwarded-Host: there', 'Hosts: elsewhere')).toMatch(
    /200 OK[^]*served$/,
  )
})

it.each([[['Host: here', 'Host: there']], [['host: here', 'Accept: */*', 'HOST: here']]])(
  'a request with %j is refused with 400',
  async (headers) => {
    const answer = await answerTo(...headers)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"message":"A request must have one Host header, not several"')
  },
)
