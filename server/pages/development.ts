import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { Connect } from 'vite'
import { entryOf, type MountedBuild } from './build.ts'

/** Serves the sources through Vite, which replaces them in open pages when they change. */
export async function mountDevelopment(pages: FastifyInstance): Promise<MountedBuild> {
  const { createServer } = await import('vite')
  const vite = await withoutItsSignalHandlers(() =>
    createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server: pages.server } } }),
  )
  pages.addHook('onClose', () => vite.close())
  pages.addHook('onRequest', (request, reply) => offer(vite.middlewares, request, reply))
  return {
    render: async (url, context, signal) => {
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
      return entryOf(build).rendererOf(build, 'development')(url, context, signal)
    },
    // Nothing is cached while the sources change.
    cachedRoutes: [],
    matchRoute: () => null,
    version: 'development',
  }
}

/** Removes the SIGTERM listeners of Vite, which end the process before the database is closed. */
async function withoutItsSignalHandlers<T>(work: () => Promise<T>): Promise<T> {
  const own = process.listeners('SIGTERM')
  const result = await work()
  for (const listener of process.listeners('SIGTERM')) {
    if (!own.includes(listener)) process.off('SIGTERM', listener)
  }
  return result
}

/** Lets Vite respond to the requests that are its own; others go on to the pages. */
async function offer(vite: Connect.Server, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isHandled = await new Promise<boolean>((resolve, reject) => {
    reply.raw.once('close', () => resolve(true))
    vite(request.raw, reply.raw, (error?: unknown) => (error ? reject(error) : resolve(false)))
  })
  if (isHandled) reply.hijack()
}
