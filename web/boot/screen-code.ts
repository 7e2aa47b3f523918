import { matchRoutes } from 'react-router'
import { pageData, type ScreenFiles } from './page-data.ts'
import { isLoaded, screens } from './screens.ts'

/** Thrown if the server does not have the code, because it runs a different build. */
export class MissingCode extends Error {}

/** Returns the URLs of the code of the screen at a path, except that of the screens and layouts that are loaded. */
export function codeOf(
  pathname: string,
  files: Pick<ScreenFiles, 'others' | 'screens'>,
  isLoaded: (file: string) => boolean,
): string[] {
  const urlsOf = (file: string) => (files.screens[file] ?? []).map((index) => files.others[index] ?? '')
  const loaded = new Set(Object.keys(files.screens).filter(isLoaded).flatMap(urlsOf))
  const missing = (matchRoutes(screens, pathname) ?? []).flatMap(({ route: { id = '' } }) => urlsOf(id))
  return [...new Set(missing)].filter((url) => !loaded.has(url))
}

/** The URLs that this page has fetched into the browser's cache. */
const fetched = new Set<string>()

/** Returns the URLs of the code that the screen at a path still needs. */
export function missingCode(pathname: string): string[] {
  return codeOf(pathname, pageData().files, isLoaded).filter((url) => !fetched.has(url))
}

/**
 * Fetches code into the browser's cache, so that importing it cannot fail. Throws `MissingCode` if the server no longer has it,
 * and other errors if the server cannot be reached.
 */
export async function fetchCode(urls: string[], options: RequestInit = {}): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, options)
      if (response.status === 404) throw new MissingCode(url)
      if (!response.ok) throw new Error(`${url} has status ${response.status}`)
      await response.arrayBuffer()
      fetched.add(url)
    }),
  )
}

/** One path of each screen that signed-in users can open from every other. */
const SCREENS = [
  '/dashboard',
  '/collaborations',
  '/projects/-',
  '/projects/-/milestones/-/entries/-',
  '/login',
]

/** The delay after the first screen before the code of the others is fetched, so that a short visit loads none of it. */
const PREFETCH_DELAY_MS = 10_000

/** Fetches the code of these screens after that delay, while the browser is idle. Returns a function that stops it. */
export function prefetchScreens(): () => void {
  const abort = new AbortController()
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => run())

  async function prefetch() {
    try {
      for (const path of SCREENS) {
        await fetchCode(missingCode(path), { priority: 'low', signal: abort.signal })
      }
    } catch {
      // Opening the screen fetches it again, and reports a failure.
    }
  }

  const timer = setTimeout(() => whenIdle(() => void prefetch()), PREFETCH_DELAY_MS)
  return () => {
    clearTimeout(timer)
    abort.abort()
  }
}

/** Whether the browser requests reduced data usage. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
