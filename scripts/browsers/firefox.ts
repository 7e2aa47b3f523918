import type { ElementHandle, KeyInput } from 'puppeteer-core'
import { launch } from 'puppeteer-core'
import { registerCleanup } from '#testing/cleanup.ts'
import { type Browser, requireProgram } from './browser.ts'

/** Starts the installed Firefox headless, with its built-in WebDriver BiDi. */
export async function startFirefox(): Promise<Browser> {
  const executablePath = await requireProgram('firefox-esr', 'firefox-esr', 'firefox')
  const firefox = await launch({ browser: 'firefox', executablePath, headless: true, defaultViewport: null })
  const close = registerCleanup(() => firefox.close())
  const [page = await firefox.newPage()] = await firefox.pages()
  return {
    version: (await firefox.version()).replace('/', ' '),
    async open(url) {
      await page.goto(url)
    },
    call: (work, ...args) => page.evaluate(work as (...args: unknown[]) => never, ...args),
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async press(combination) {
      const keys = combination.split('+') as KeyInput[]
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    async choose(selector, file) {
      const field = (await page.$(selector)) as ElementHandle<HTMLInputElement> | null
      await field?.uploadFile(file)
    },
    async resize(width, height) {
      // Puppeteer also sets the screen orientation, which Firefox 140 does not support.
      await page.setViewport({ width, height }).catch((error: Error) => {
        if (!error.message.includes('unknown command emulation.setScreenOrientationOverride')) throw error
      })
    },
    screenshot: () => page.screenshot(),
    close,
  }
}
