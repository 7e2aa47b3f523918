import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import {
  createContext,
  createRequestHandler,
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router'
import type { CachedParams, PagesBuild, Render, RenderContext } from '#contract/rendering.ts'
import { runCallContext } from '#web/api/run-call.server.ts'
import { NonceContext } from '#web/shell/inline-scripts.tsx'

const renderContext = createContext<RenderContext>()

/**
 * Returns the renderer of this build. A page depends only on its URL: no header of the request reaches it, so the same page is
 * valid for everybody. The renderer is part of the build because React Router identifies contexts by instance.
 */
export function rendererOf(build: ServerBuild, mode: 'production' | 'development'): Render {
  const handle = createRequestHandler(build, mode)
  return (url, given, signal) => {
    const context = new RouterContextProvider()
    context.set(runCallContext, given.runCall)
    context.set(renderContext, given)
    return handle(new Request(url, { signal }), context)
  }
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Even the catch-all route matches no URL with a line break.
  if (isRouteErrorResponse(error) && error.status === 404) return
  if (!request.signal.aborted) context.get(renderContext).report(error)
}

/** Renders a whole page before responding, so that its status and ETag are known before the first byte. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, report } = loadContext.get(renderContext)
  const html = await render(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    { nonce, report, signal: request.signal },
  )
  headers.set('content-type', 'text/html; charset=utf-8')
  const leaf = routerContext.staticHandlerContext.matches.at(-1)?.route.id ?? ''
  const isPublic = cachedParamsOf(routerContext.routeModules[leaf]) !== undefined
  return new Response(isPublic ? withLateFonts(withEarlyStyles(html)) : html, {
    status,
    headers,
  })
}

/**
 * Preloads a page's style sheets at the beginning of its head, where React would preload the first picture: on a slow connection
 * the style sheets, and so the page, would wait for it.
 */
function withEarlyStyles(html: string): string {
  const sheets = html.matchAll(/<link(?: nonce="[^"]*")? rel="stylesheet" href="([^"]+)"/g)
  const preloads = Array.from(sheets, ([, href]) => `<link rel="preload" as="style" href="${href}"/>`)
  return html.replace(/<meta charset="utf-8"\/>/i, (meta) => meta + preloads.join(''))
}

/** Leaves the fonts of a page to `loadFonts`: before the first paint they would compete with the resources that it needs. */
function withLateFonts(html: string): string {
  return html
    .replace('<html', '<html data-fonts="later"')
    .replaceAll(/<link(?: nonce="[^"]*")? rel="preload"[^>]* as="font"[^>]*>/g, '')
}

type RenderOptions = Pick<RenderContext, 'nonce' | 'report'> & { signal: AbortSignal }

function render(page: React.ReactNode, { nonce, report, signal }: RenderOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let isShellReady = false
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onShellReady: () => {
        isShellReady = true
      },
      onAllReady: () => pipe(collect(resolve)),
      onShellError: reject,
      // An error of the shell itself is reported by handleError.
      onError: (error) => {
        if (isShellReady && !signal.aborted) report(error)
      },
    })
    signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  })
}

function collect(done: (text: string) => void): Writable {
  const chunks: Buffer[] = []
  return new Writable({
    write(chunk: Buffer, _encoding, next) {
      chunks.push(chunk)
      next()
    },
    final(next) {
      done(Buffer.concat(chunks).toString())
      next()
    },
  })
}

type BuiltRoute = NonNullable<ServerBuild['routes'][string]>

/** Returns the search parameters in the cache key of a route's pages; undefined if they are not cached. */
function cachedParamsOf(routeModule: object | undefined): CachedParams | undefined {
  return routeModule && 'cachedParams' in routeModule ? (routeModule.cachedParams as CachedParams) : undefined
}

/** Returns the cached routes of a build for the page cache. */
export function cachedRoutesOf(build: Pick<ServerBuild, 'routes'>): Omit<PagesBuild, 'render'> {
  const routes = Object.values(build.routes).filter((route) => route !== undefined)
  const tree = treeOf(routes)
  const paramsOf = (id: string | undefined) => cachedParamsOf(build.routes[id ?? '']?.module)
  return {
    cachedRoutes: routes.flatMap(({ id }) => {
      const cachedParams = paramsOf(id)
      return cachedParams ? [{ pattern: patternOf(build, id), cachedParams }] : []
    }),
    matchRoute: (pathname) => {
      const match = matchRoutes(tree, pathname)?.at(-1)
      if (!match?.route.id) return null
      const { params, route } = match
      return { pattern: patternOf(build, route.id), params, cachedParams: paramsOf(route.id) }
    },
  }
}

function patternOf(build: Pick<ServerBuild, 'routes'>, id: string | undefined): string {
  const paths: string[] = []
  for (let route = build.routes[id ?? '']; route; route = build.routes[route.parentId ?? '']) {
    if (route.path === '*') return '*'
    if (route.path) paths.unshift(route.path)
  }
  return `/${paths.join('/')}`
}

function treeOf(routes: BuiltRoute[], parent?: string): RouteObject[] {
  return routes
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: treeOf(routes, id) }))
}
