import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from './listen.ts'
import { createShutdown } from './shutdown.ts'

const SERVER = `
  import { once } from 'node:events'
  import { fastify } from 'fastify'
  import { pino } from 'pino'
  import { drain, listen } from '#server/listen.ts'
  import { createShutdown } from '#server/shutdown.ts'

  const say = (text) => void process.stdout.write(text + '\\n')
  const shutdown = createShutdown(pino({ level: 'silent' }))
  const app = fastify()
  app.get('/slow', async (request) => {
    say('asked')
    await once(process.stdin, 'data')
    return 'done'
  })
  app.get('/fault', async () => {
    void Promise.reject(new Error('nobody catches this'))
    return 'done'
  })
  app.addHook('preClose', async () => say('closing'))
  shutdown.closes('the database', async () => say('database closed'))
  shutdown.closes('the server', () => drain(app, { seconds: 0 }))
  await listen(app, { host: '127.0.0.1', port: 0 })
  say(String(app.server.address().port))
`

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function startServer() {
  const args = ['--input-type=module-typescript', '--eval', SERVER]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'close')
  const printed: string[] = []
  const lines = createInterface(child.stdout)
  const [port] = (await once(lines, 'line')) as [string]
  lines.on('line', (line) => printed.push(line))
  const prints = async (text: string) => {
    while (!printed.includes(text)) await once(lines, 'line')
  }
  return { child, ended, printed, prints, url: `http://127.0.0.1:${port}` }
}

test('on a signal, even if it is sent twice, running requests finish before everything is closed', async () => {
  const { child, ended, printed, prints, url } = await startServer()
  const response = fetch(`${url}/slow`)
  await prints('asked')
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  await prints('closing')
  await expect(fetch(`${url}/slow`)).rejects.toThrow('fetch failed')
  expect(printed).not.toContain('database closed')
  child.stdin.write('go on')
  expect(await (await response).text()).toBe('done')
  expect(await ended).toEqual([0, null])
  expect(printed).toContain('database closed')
})

test('a second signal after a moment ends the process immediately', () => {
  const events = new EventEmitter()
  const exit = vi.fn<(code: number) => void>()
  const time = { now: 5_000 }
  const system = { on: events.on.bind(events), exit }
  const shutdown = createShutdown(pino({ level: 'silent' }), system, () => time.now)
  shutdown.closes('what takes for ever', () => new Promise(() => {}))
  events.emit('SIGINT')
  time.now += 1_000
  events.emit('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  time.now += 1
  events.emit('SIGTERM')
  expect(exit.mock.calls).toEqual([[1]])
})

test('a signal ends a start that waits until then', async () => {
  const events = new EventEmitter()
  const exit = vi.fn<(code: number) => void>()
  const shutdown = createShutdown(pino({ level: 'silent' }), { on: events.on.bind(events), exit })
  shutdown.waitsFor(once(shutdown.signal, 'abort'))
  events.emit('SIGTERM')
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[0]]))
})

test('an uncaught error closes everything and ends with a failure', async () => {
  const { ended, printed, url } = await startServer()
  await fetch(`${url}/fault`).catch(() => undefined)
  expect(await ended).toEqual([1, null])
  expect(printed).toContain('database closed')
})

test('a port in use and an address of another machine are reported in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(listen(fastify(), { host: '127.0.0.1', port })).rejects.toThrow(`Port ${port} is in use`)
  await expect(listen(fastify(), { host: '192.0.2.1', port })).rejects.toThrow(
    'HOST is 192.0.2.1, which is no address',
  )
  other.close()
})
