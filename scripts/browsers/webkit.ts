import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerCleanup } from '#testing/cleanup.ts'
import { freePort } from '#testing/start-server.ts'
import { type Browser, MissingProgram } from './browser.ts'
import { findProgram, startProgram } from './programs.ts'

/** The code points that WebDriver gives to keys without a character. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Shift: '\uE008',
  Enter: '\uE007',
  Home: '\uE011',
  End: '\uE010',
  ArrowLeft: '\uE012',
}

type Answer = { value: { sessionId?: string; capabilities?: { browserVersion: string }; message?: string } }

/** Starts WebKitGTK's MiniBrowser on a screen in memory. It speaks WebDriver through WebKitWebDriver. */
export async function startWebKit(): Promise<Browser> {
  const driver = await findProgram('WebKitWebDriver')
  if (!driver) throw new MissingProgram('WebKitWebDriver', 'webkit2gtk-driver')
  const xvfb = await findProgram('Xvfb')
  if (!xvfb) throw new MissingProgram('Xvfb', 'xvfb')

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

  const { sessionId, capabilities } = await send<Answer['value']>(
    `http://127.0.0.1:${port}/session`,
    'POST',
    {
      capabilities: {},
    },
  )
  const session = `http://127.0.0.1:${port}/session/${sessionId}`
  const post = <T>(command: string, body: object = {}) => send<T>(`${session}/${command}`, 'POST', body)
  const act = (type: 'key' | 'pointer', actions: object[]) =>
    post<void>('actions', { actions: [{ type, id: type, actions }] })
  const press = (keys: string[]) => [
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]
  return {
    version: `WebKitGTK ${capabilities?.browserVersion}`,
    open: (url) => post('url', { url }),
    call: (work, ...args) => post('execute/sync', { script: `return (${work})(...arguments)`, args }),
    click: (x, y) =>
      act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (text) =>
      act(
        'key',
        [...text].flatMap((character) => press([character.replace('\n', '\uE007')])),
      ),
    press: (combination) => act('key', press(combination.split('+').map((key) => KEYS[key] ?? key))),
    async choose(selector, file) {
      const field = await post<object>('element', { using: 'css selector', value: selector })
      await post(`element/${Object.values(field)[0]}/value`, { text: file })
    },
    async resize(width, height) {
      // The window's own bar is not part of the page.
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
  const { value } = (await response.json()) as Answer
  if (!response.ok) throw new Error(value.message || `${method} ${url} returned ${response.status}`)
  return value as T
}

async function listening(url: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50))
    if (await fetch(url).catch(() => null)) return
  throw new Error('WebKitWebDriver did not listen within twenty seconds')
}
