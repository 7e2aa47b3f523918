import { matchRoutes, type RouteObject } from 'react-router'

/** A route in React Router's manifest; `module`, `imports` and `css` are URLs. */
type RouteCode = {
  id: string
  parentId?: string | undefined
  path?: string | undefined
  index?: boolean | undefined
  module: string
  imports?: string[] | undefined
  css?: string[] | undefined
}

export type Routes = Record<string, RouteCode>

declare global {
  interface Window {
    /** Set by React Router's scripts: all routes, and the modules of the loaded ones. */
    __reactRouterManifest?: { routes: Routes; entry: { imports: string[] } }
    __reactRouterRouteModules?: Record<string, unknown>
  }
}

/** Thrown if the server does not have the code, because it runs a different build. */
export class MissingCode extends Error {}

const childrenOf = (routes: Routes, parentId: string | undefined): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, index } : { id, ...(path !== undefined && { path }), children: childrenOf(routes, id) },
    )

/** Returns the URLs of the code of the screen at a path, except that of the routes that are loaded. */
export function codeOf(routes: Routes, pathname: string, isLoaded: (id: string) => boolean): string[] {
  const matches = matchRoutes(childrenOf(routes, undefined), pathname) ?? []
  const missing = matches.flatMap(({ route: { id = '' } }) => (isLoaded(id) ? [] : (routes[id] ?? [])))
  const loaded = new Set(Object.values(routes).flatMap((route) => (isLoaded(route.id) ? filesOf(route) : [])))
  return [...new Set(missing.flatMap(filesOf))].filter((url) => !loaded.has(url))
}

const filesOf = ({ module, imports = [], css = [] }: RouteCode) => [module, ...imports, ...css]

/** The URLs that this page has fetched into the browser's cache. */
const fetched = new Set<string>()

/** Returns the URLs of the code that the screen at a path still needs. */
export function missingCode(pathname: string): string[] {
  const { __reactRouterManifest: manifest, __reactRouterRouteModules: modules = {} } = window
  if (!manifest) return []
  const urls = codeOf(manifest.routes, pathname, (id) => id in modules)
  return urls.filter((url) => !fetched.has(url) && !manifest.entry.imports.includes(url))
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
