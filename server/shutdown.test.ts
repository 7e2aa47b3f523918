import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from './listen.ts'

vi.setConfig({ testTimeout: 30_000 })

const SERVER = `
  import { fastify } from 'fastify'
  import { pino } from 'pino'
  import { drain, listen } from '#server/listen.ts'
  import { createShutdown } from '#server/shutdown.ts'

  const say = (text) => process.stdout.write(text + '\\n')
  const shutdown = createShutdown(pino({ level: 'silent' }))
  const app = fastify()
  app.get('/slow/:ms', async (request) => {
    say('asked')
    await new Promise((resolve) => setTimeout(resolve, Number(request.params.ms)))
    return 'done'
  })
  app.get('/fault', async () => {
    void Promise.reject(new Error('nobody catches this'))
    return 'done'
  })
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
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'close')
  const said: string[] = []
  const lines = createInterface(child.stdout)
  const [port] = (await once(lines, 'line')) as [string]
  lines.on('line', (line) => said.push(line))
  const hears = async (text: string) => {
    while (!said.includes(text)) await pause(10)
  }
  return { child, ended, said, hears, url: `http://127.0.0.1:${port}` }
}

test('on a signal, also one told twice, what runs is finished, then everything is closed', async () => {
  const { child, ended, said, hears, url } = await startServer()
  const answer = fetch(`${url}/slow/600`)
  await hears('asked')
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  await pause(200)
  await expect(fetch(`${url}/slow/1`)).rejects.toThrow('fetch failed')
  expect(said).not.toContain('database closed')
  expect(await (await answer).text()).toBe('done')
  expect(await ended).toEqual([0, null])
  expect(said).toContain('database closed')
})

test('a second signal ends at once', async () => {
  const { child, ended, hears, url } = await startServer()
  const answer = fetch(`${url}/slow/9000`).catch(() => 'cut')
  await hears('asked')
  child.kill('SIGINT')
  await pause(1_200)
  child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  expect(await answer).toBe('cut')
})

test('an error that nobody caught closes everything and ends with a failure', async () => {
  const { ended, said, url } = await startServer()
  await fetch(`${url}/fault`).catch(() => undefined)
  expect(await ended).toEqual([1, null])
  expect(said).toContain('database closed')
})

test('a port in use and a foreign address are told in one sentence', async () => {
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
