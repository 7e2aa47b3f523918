import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerCleanup } from '#testing/cleanup.ts'
import { freePort } from '#testing/start-server.ts'
import { type Browser, requireProgram } from './browser.ts'

/** The code points of keys without a character in WebDriver. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Shift: '\uE008',
  Enter: '\uE007',
  Home: '\uE011',
  End: '\uE010',
  ArrowLeft: '\uE012',
}

type NewSession = { sessionId: string; capabilities: { browserVersion: string } }

/** Starts WebKitGTK's MiniBrowser on a virtual screen, controlled by WebDriver through WebKitWebDriver. */
export async function startWebKit(): Promise<Browser> {
  const driver = await requireProgram('webkit2gtk-driver', 'WebKitWebDriver')
  const xvfb = await requireProgram('xvfb', 'Xvfb')
  const screen = startProgram(xvfb, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [display] = (await once(screen.child.stdout as Readable, 'data')) as [Buffer]
  const port = await freePort()
  const { stop } = startProgram(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(display).trim()}` },
  })
  await listening(`http://127.0.0.1:${port}/status`)

  const sessions = `http://127.0.0.1:${port}/session`
  const { sessionId, capabilities } = await send<NewSession>(sessions, 'POST', { capabilities: {} }).catch(
    async (error: unknown) => {
      await stop()
      await screen.stop()
      throw error
    },
  )
  const session = `${sessions}/${sessionId}`
  const post = <T>(command: string, body: object = {}) => send<T>(`${session}/${command}`, 'POST', body)
  const act = (type: 'key' | 'pointer', actions: object[]) =>
    post<void>('actions', { actions: [{ type, id: type, actions }] })
  const press = (keys: string[]) => [
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    open: (url) => post('url', { url }),
    call: (work, ...args) => post('execute/sync', { script: `return (${String(work)})(...arguments)`, args }),
    click: (x, y) =>
      act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) => {
      const keys = [...text.replaceAll('\n', KEYS.Enter ?? '')]
      return act(
        'key',
        keys.flatMap((key) => press([key])),
      )
    },
    press: (combination) => act('key', press(combination.split('+').map((key) => KEYS[key] ?? key))),
    async choose(selector, file) {
      const field = await post<object>('element', { using: 'css selector', value: selector })
      await post(`element/${Object.values(field)[0]}/value`, { text: file })
    },
    async resize(width, height) {
      // The window's own toolbars are not part of the page.
      for (let bars = 0, tries = 0; tries < 3; tries += 1) {
        await post('window/rect', { width, height: height + bars })
        const inner = await post<number>('execute/sync', { script: 'return innerHeight', args: [] })
        bars += height - inner
      }
    },
    screenshot: async () => Buffer.from(await send<string>(`${session}/screenshot`, 'GET'), 'base64'),
    close: registerCleanup(async () => {
      await send(session, 'DELETE')
      await stop()
      await screen.stop()
    }),
  }
}

async function send<T>(url: string, method: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(value.message || value.error)
  return value
}

async function listening(url: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50))
    if (await fetch(url).catch(() => null)) return
  throw new Error('WebKitWebDriver did not listen within twenty seconds')
}

/** Starts a program that runs until `stop` is called or a signal ends this process. */
function startProgram(file: string, args: string[], options: SpawnOptions) {
  const child = spawn(file, args, options)
  const exited = once(child, 'exit')
  const stop = registerCleanup(async () => {
    child.kill('SIGTERM')
    await exited
  })
  return { child, stop }
}
