import { once } from 'node:events'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drain, listen } from './listen.ts'
import { mountHealth } from './platform/api/health.ts'
import { type TestApp, testApp } from './testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Waits that end when the test decides: the next one, or all from now on. */
function manualWait() {
  const pending: (() => void)[] = []
  let isOver = false
  return {
    wait: () => (isOver ? Promise.resolve() : new Promise<void>((resolve) => pending.push(resolve))),
    endWait: () => pending.shift()?.(),
    endWaits: () => {
      isOver = true
      for (const end of pending) end()
    },
  }
}

/** A server with one keep-alive connection, on which `ask` sends a request and reads the whole response. */
async function serverWithConnection() {
  const app = fastify({ return503OnClosing: false })
  await mountHealth(app, t.deps.db, { rateLimit: false, disk: t.deps.disk })
  app.get('/work', async () => 'done')
  await listen(app, { host: '127.0.0.1', port: 0 })
  const { port } = new URL(app.listeningOrigin)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const ask = async (path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString()
  }
  return { app, socket, ask, url: app.listeningOrigin }
}

describe('a server behind a load balancer that is shutting down', () => {
  it('serves requests while it reports that it is not ready', async () => {
    const { app, ask, socket, url } = await serverWithConnection()
    const { wait, endWaits } = manualWait()
    const drained = drain(app, { seconds: 1, wait })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect(await (await fetch(`${url}/work`)).text()).toBe('done')
    expect(await ask('/work')).not.toMatch(/connection: close/i)
    socket.destroy()
    endWaits()
    await drained
  })

  it('then refuses new connections, and serves each open one once more before it closes it', async () => {
    const { app, ask, socket, url } = await serverWithConnection()
    const { wait, endWait } = manualWait()
    const drained = drain(app, { seconds: 3, wait })
    endWait()
    await expect.poll(() => app.server.listening).toBe(false)
    await expect(fetch(`${url}/work`)).rejects.toThrow('fetch failed')
    const ended = once(socket, 'end')
    expect(await ask('/work')).toMatch(/200 OK[^]*connection: close[^]*done/i)
    await ended
    await drained
  })
})
