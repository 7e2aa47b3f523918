import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { Connect } from 'vite'
import { entryOf, type MountedBuild } from './mounted-build.ts'

/** Serves the sources through Vite, which replaces them in open pages when they change. */
export async function mountDevelopment(pages: FastifyInstance): Promise<MountedBuild> {
  const { createServer } = await import('vite')
  const vite = await keepingSignals(() =>
    createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server: pages.server } } }),
  )
  pages.addHook('onClose', () => vite.close())
  pages.addHook('onRequest', (request, reply) => offer(vite.middlewares, request, reply))
  return {
    render: async (url, visit, signal) => {
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
      return entryOf(build).rendererOf(build, 'development')(url, visit, signal)
    },
    // Nothing is cached while the sources change.
    cachedRoutes: [],
    matchRoute: () => null,
    version: 'development',
  }
}

/** Vite would end the process at once on SIGTERM; when it ends is for us to say, the database closes first. */
async function keepingSignals<T>(work: () => Promise<T>): Promise<T> {
  const ours = process.listeners('SIGTERM')
  const result = await work()
  for (const listener of process.listeners('SIGTERM')) {
    if (!ours.includes(listener)) process.off('SIGTERM', listener)
  }
  return result
}

/** Lets Vite answer what is its own; anything else goes on to the pages. */
async function offer(vite: Connect.Server, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const taken = await new Promise<boolean>((resolve, reject) => {
    reply.raw.once('close', () => resolve(true))
    vite(request.raw, reply.raw, (error?: unknown) => (error ? reject(error) : resolve(false)))
  })
  if (taken) reply.hijack()
}
