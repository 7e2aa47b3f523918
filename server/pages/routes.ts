import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PublicPagesBuild } from '#contract/rendering.ts'
import type { MountedBuild } from './build.ts'
import { type AskedPage, createCachedPages } from './cached.ts'
import type { CachedMatch } from './canonical.ts'
import { createRedirects } from './redirects.ts'
import type { PagesOptions } from './render.ts'
import { createPageSender } from './send.ts'
import { siteSources } from './sources.ts'

/** Mounts the pages of a build: those of the features, one route for each cached page, and one for all other URLs. */
export function pageRoutes(scope: FastifyInstance, build: MountedBuild, options: PagesOptions): void {
  const { deps, publicUrl, rateLimit, search, runCall } = options
  const sender = createPageSender(build, options)
  const { readShared, sendPage, sendPrivate, sendMissing, sendScreen } = sender
  const settings = async () => (await readShared()).settings
  const sending = { settings, sendPage, sendPrivate, sendMissing }
  const mounting = { scope, deps, publicUrl, rateLimit, search, runCall, ...sending }
  const pages = options.features.flatMap((feature) => feature.pages?.(mounting) ?? [])
  const collected = {
    sources: Object.assign(siteSources(deps.clock), ...pages.map(({ sources }) => sources)),
    subjects: Object.assign({}, ...pages.map(({ subjects }) => subjects)),
    insteads: pages.flatMap(({ instead }) => instead ?? []),
  }

  /** Returns the URL under the public origin, whatever the request target contains (`//elsewhere`). */
  const urlOf = (request: FastifyRequest) => new URL(publicUrl + request.url)
  const redirects = createRedirects(urlOf, collected.subjects)
  const sendCached = createCachedPages(sender, collected, { deps, rateLimit, urlOf, redirects })

  for (const { pattern, cachedParams, kind } of build.publicPages.publicRoutes) {
    scope.get(pattern, (request, reply) => {
      const params = request.params as CachedMatch['params']
      return sendCached({ pattern, cachedParams, kind, params }, request, reply)
    })
  }

  const matchPublic = matcherOf(build.publicPages.publicRoutes)
  scope.get('/*', async (request, reply) => {
    const url = urlOf(request)
    // A page with a differently spelled path.
    const cached = matchPublic(url.pathname)
    if (cached) return sendCached(cached, request, reply)
    const screen = build.publicPages.screenAt(url.pathname)
    const hasToken = screen?.pattern.startsWith('/invite/')
    if (screen && !hasToken) return sendScreen(request, reply, screen, url)
    const redirected = redirects.fromOther(request, reply)
    if (redirected) return redirected
    if (screen) return sendScreen(request, reply, screen, url)
    return sendMissing(request, reply, { kind: 'missing', what: 'page' })
  })
}

/** Returns a function that finds the public page of a path in any case, with any number of final slashes. */
export function matcherOf(routes: PublicPagesBuild['publicRoutes']) {
  const matchers = routes.map((route) => {
    const path = route.pattern.replace(/\/$/, '').replaceAll('.', '\\.')
    return { route, test: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/*$`, 'i') }
  })
  return (pathname: string): AskedPage | null => {
    for (const { route, test } of matchers) {
      const found = test.exec(pathname)
      if (found) {
        const params = Object.entries({ ...found.groups }).map(([name, value]) => [
          name,
          decodeURIComponent(value),
        ])
        return { ...route, params: Object.fromEntries(params) as CachedMatch['params'] }
      }
    }
    return null
  }
}
