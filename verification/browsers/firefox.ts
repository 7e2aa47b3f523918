import { registerCleanup } from '#testing/cleanup.ts'
import { verificationModule } from '#verification/packages.ts'
import { type Browser, requireProgram } from './browser.ts'

/** The used part of Puppeteer, whose types are not installed with the project. */
type Puppeteer = {
  launch: (options: {
    browser: 'firefox'
    executablePath: string
    headless: boolean
    defaultViewport: null
  }) => Promise<PuppeteerBrowser>
}
type PuppeteerBrowser = {
  close: () => Promise<void>
  newPage: () => Promise<Page>
  pages: () => Promise<Page[]>
  version: () => Promise<string>
}
type Page = {
  goto: (url: string) => Promise<unknown>
  evaluate: (work: (...args: unknown[]) => never, ...args: unknown[]) => Promise<never>
  mouse: { click: (x: number, y: number) => Promise<void> }
  keyboard: {
    type: (text: string) => Promise<void>
    down: (key: string) => Promise<void>
    up: (key: string) => Promise<void>
  }
  $: (selector: string) => Promise<{ uploadFile: (file: string) => Promise<void> } | null>
  setViewport: (size: { width: number; height: number }) => Promise<void>
  screenshot: () => Promise<Uint8Array>
}

/** Starts the installed Firefox headless, with its built-in WebDriver BiDi. */
export async function startFirefox(): Promise<Browser> {
  const { launch } = (await import(verificationModule('puppeteer-core'))) as Puppeteer
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
      const keys = combination.split('+')
      for (const key of keys) await page.keyboard.down(key)
      for (const key of keys.toReversed()) await page.keyboard.up(key)
    },
    async choose(selector, file) {
      const field = await page.$(selector)
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
