import {
  createContext,
  createRequestHandler,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import type { CachedParams, PagesBuild, Render, RenderContext } from '#contract/rendering.ts'
import { runCallContext } from '#web/api/run-call.server.ts'
import { markupContext } from '#web/markdown/send-markup.server.ts'

export const renderContext = createContext<RenderContext>()

/**
 * Returns the renderer of this build. A page depends on its URL alone: no header of the request reaches it, so the same
 * page serves everybody. The renderer is part of the build because React Router identifies contexts by instance.
 */
export function rendererOf(build: ServerBuild, mode: 'production' | 'development'): Render {
  const handle = createRequestHandler(build, mode)
  return (url, given, signal) => {
    const context = new RouterContextProvider()
    context.set(runCallContext, given.runCall)
    context.set(renderContext, given)
    if (!url.pathname.endsWith('.data')) context.set(markupContext, new Map())
    return handle(new Request(url, { signal }), context)
  }
}

type BuiltRoute = NonNullable<ServerBuild['routes'][string]>

/** The search parameters by which a route's pages are cached; undefined where they are not cached. */
export function cachedParamsOf(routeModule: object | undefined): CachedParams | undefined {
  return routeModule && 'cachedParams' in routeModule ? (routeModule.cachedParams as CachedParams) : undefined
}

/** The routes of a build as the page cache sees them. */
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
