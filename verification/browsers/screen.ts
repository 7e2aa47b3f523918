import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './browser.ts'

/** Far more than a busy machine needs: this timeout only ends runs that hang. */
const LIMIT_MS = 30_000
const INTERVAL_MS = 100

/** Finds controls by accessible name and elements by text, and types keys, as a person would. */
export function screenOf(browser: Browser) {
  /** Polls the page until it returns something other than null, false or undefined. */
  async function until<A extends unknown[], R>(
    what: string,
    ask: (...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<NonNullable<R>> {
    for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await sleep(INTERVAL_MS)) {
      const found = await browser.call(ask, ...args)
      if (found) return found
    }
    throw new Error(`there was no ${what}`)
  }

  const screen = {
    ...browser,
    until,

    /** Opens a page, waits until it is hydrated, and from then on records errors that the page reports. */
    async open(url: string) {
      await browser.open(url)
      await browser.call(() => void dispatchEvent(new Event('touchstart'))) // hydrates a public page
      await until('hydrated page', () => document.documentElement.hasAttribute('data-ready'))
      await browser.call(recordFaults)
    },

    /** Clicks the center of a control, once nothing moves or covers it. */
    async press(name: string) {
      const { x, y } = await until(`control '${name}' that can be clicked`, pointOf, name)
      await browser.click(x, y)
    },

    async fill(name: string, text: string) {
      await screen.press(name)
      await browser.type(text)
    },

    keys: (combination: string) => browser.press(combination),
    sees: (text: string) =>
      until(`text '${text}'`, (wanted) => document.body.innerText.includes(wanted), text),
    /** Waits for an element whose text begins with this one. */
    shows: (selector: string, text: string) =>
      until(
        `${selector} with '${text}'`,
        (css, wanted) =>
          [...document.querySelectorAll(css)].some((each) => each.textContent.startsWith(wanted)),
        selector,
        text,
      ),
    isAt: (path: string) =>
      until(`page ${path}`, (wanted) => location.pathname.startsWith(wanted) && location.href, path),

    /** Waits until the content field contains a text. */
    async holds(text: string) {
      await until(
        `content ${JSON.stringify(text)}`,
        (wanted) => {
          const content = document.querySelector('[aria-label=Content]') as Noted | null
          return content?.cmTile?.root?.view?.state.doc.toString() === wanted
        },
        text,
      ).catch(async (error: Error) => {
        const shown = await browser.call(() => document.querySelector('[aria-label=Content]')?.textContent)
        throw new Error(`${error.message}, but ${JSON.stringify(shown)}`)
      })
    },

    /** Throws if the page reported an uncaught error or a violation of its security policy. */
    async expectNoFaults() {
      const faults = await browser.call(() => (window as Recorder).recordedFaults)
      if (faults && faults.length > 0) throw new Error(`the page reported ${faults.join('; ')}`)
    },

    async expectNoSidewaysScroll() {
      const excess = await browser.call(() => document.documentElement.scrollWidth - window.innerWidth)
      if (excess > 0) throw new Error(`the page is ${excess} pixels wider than the window`)
    },
  }
  return screen
}

export type Screen = ReturnType<typeof screenOf>

/** What CodeMirror notes at its element. */
type Noted = Element & { cmTile?: { root?: { view?: { state: { doc: { toString(): string } } } } } }

type Recorder = Window & { recordedFaults?: string[] }

/** Runs in the page. */
function recordFaults() {
  const faults: string[] = []
  ;(window as Recorder).recordedFaults = faults
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`${violatedDirective} of its policy broken by ${blockedURI}`),
  )
  window.addEventListener('error', ({ message }) => faults.push(message))
  window.addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
}

/** Runs in the page: returns the center of the first control with a name, in the dialog if one is open. */
async function pointOf(name: string): Promise<{ x: number; y: number } | null> {
  const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog]')].filter((dialog) =>
    dialog.checkVisibility(),
  )
  const controls = [
    ...(dialogs.at(-1) ?? document).querySelectorAll(
      'a, button, input, textarea, select, [role=checkbox], [role=tab], [contenteditable=true]',
    ),
  ].filter((control) => control.checkVisibility())
  const nameOf = (control: Element) =>
    control.getAttribute('aria-label') ??
    ((control as HTMLInputElement).labels?.[0]?.textContent || control.textContent).trim()
  const control =
    controls.find((each) => nameOf(each) === name) ?? controls.find((each) => nameOf(each).startsWith(name))
  if (!control) return null
  control.scrollIntoView({ block: 'nearest' })
  const before = control.getBoundingClientRect()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { left, top, width, height } = control.getBoundingClientRect()
  if (left !== before.left || top !== before.top) return null
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  return hit && (control.contains(hit) || hit.contains(control)) ? { x, y } : null
}
