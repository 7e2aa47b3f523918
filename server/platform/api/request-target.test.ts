import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchDisk } from '#server/platform/disk.ts'
import { handleErrors } from './error-handler.ts'
import { checkTargets, normalizeTarget } from './request-target.ts'

describe('normalizeTarget', () => {
  it('does not change an ordinary path', () => {
    expect(normalizeTarget('/world/1?x=%zz#y')).toBe('/world/1?x=%zz#y')
    expect(normalizeTarget('/caf%C3%A9')).toBe('/caf%C3%A9')
  })

  it('keeps a stray percent sign literal', () => {
    expect(normalizeTarget('/100%')).toBe('/100%25')
    expect(normalizeTarget('/%ff?a=%')).toBe('/%25ff?a=%')
  })

  it('removes the origin of an absolute URL', () => {
    expect(normalizeTarget('http://elsewhere.example/a?b')).toBe('/a?b')
    expect(normalizeTarget('http://elsewhere.example')).toBe('/')
    expect(normalizeTarget('*')).toBe('/*')
  })

  it('removes repeated slashes, and the last one of a call', () => {
    expect(normalizeTarget('//world//1?x=//')).toBe('/world/1?x=//')
    expect(normalizeTarget('//evil.example')).toBe('/evil.example')
    expect(normalizeTarget('/api//projects/1/?x')).toBe('/api/projects/1?x')
    expect(normalizeTarget('/world/1/')).toBe('/world/1/')
  })

  it('takes no path with a missing id for another one, unless it only reads', () => {
    expect(normalizeTarget('//api/projects/1', 'DELETE')).toBe('/api/projects/1')
    expect(normalizeTarget('/api/projects/', 'POST')).toBe('/api/projects')
    for (const method of ['DELETE', 'PUT', 'PATCH'])
      expect(normalizeTarget('/api/projects/', method)).toBe('/api/projects/')
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect(normalizeTarget('/api/projects//invitations//', method)).toBe('/api/projects//invitations//')
  })

  it('returns one path for all its spellings', () => {
    const spellings = [
      '/%69nvite/x',
      '/./invite/x',
      '/a/../invite/x',
      '/a/%2E%2e/invite/x',
      '/invite\\x',
      '/invite/%78',
    ]
    for (const spelling of spellings) expect(normalizeTarget(`${spelling}?y=%61`)).toBe('/invite/x?y=%61')
    const unreserved = [...'ABCXYZabcxyz0189-._~']
    const escaped = unreserved.map((character) => `%${character.charCodeAt(0).toString(16)}`)
    expect(normalizeTarget(`/x${escaped.join('')}`)).toBe(`/x${unreserved.join('')}`)
    const needed = '/%20%21%22%23%25%26%2F%3A%3D%3F%40%5B%5C%60%7B%7F%00'
    expect(normalizeTarget(needed)).toBe(needed)
  })

  it('returns a decodable path of the same origin for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (target) => {
        const address = normalizeTarget(target)
        expect(address.startsWith('/')).toBe(true)
        expect(() => decodeURIComponent(address.split(/[?#]/)[0] ?? '')).not.toThrow()
        const { origin, pathname } = new URL(`http://localhost:3000${address}`)
        expect(origin).toBe('http://localhost:3000')
        expect(normalizeTarget(pathname)).toBe(pathname)
      }),
    )
  })
})

const app = fastify({ rewriteUrl: ({ url = '/' }) => normalizeTarget(url) })
let port: number
beforeAll(async () => {
  handleErrors(
    app,
    watchDisk(undefined, () => new Date()),
  )
  checkTargets(app)
  app.get('/', async () => 'served')
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

it('a page with repeated slashes leads to the one with single ones, on this server', async () => {
  const answer = await requestOf('//evil.example//a?b=//c', ['Host: here'])
  expect(answer).toMatch(/^HTTP\/1.1 301 /)
  expect(answer).toMatch(/^location: \/evil.example\/a\?b=\/\/c\r$/m)
  expect(await requestOf('http://here//', ['Host: here'])).toMatch(/^location: \/\r$/m)
  expect(await requestOf('http://here/', ['Host: here'])).toMatch(/^HTTP\/1.1 200 /)
})

const answerTo = (...headers: string[]) => requestOf('/', headers)

async function requestOf(target: string, headers: string[]) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${target} HTTP/1.1\r\n${[...headers, 'Connection: close', '', ''].join('\r\n')}`)
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
