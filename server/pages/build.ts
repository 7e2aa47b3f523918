import { hash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Connect } from 'vite'
import type { PublicPagesBuild } from '#contract/rendering.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { diagramHeaders } from './headers.ts'

const BUILD = new URL('../../build/', import.meta.url)
const PAGES = new URL('pages/pages.js', BUILD)

/** A mounted build of the pages. */
export type MountedBuild = {
  publicPages: PublicPagesBuild
  /** Returns a text that differs between builds. */
  version: () => string
}

/** Serves the precompressed files of the build, and renders its pages. */
export async function mountBuilt(pages: FastifyInstance): Promise<MountedBuild> {
  const publicPages = await importPublicPages()
  await mountDiagramFrame(pages)
  // The names of these files change with their content.
  await pages.register(fastifyStatic, {
    ...shared,
    root: fileURLToPath(new URL('client/assets/', BUILD)),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
  })
  await pages.register(fastifyStatic, {
    ...shared,
    root: fileURLToPath(new URL('client/', BUILD)),
    wildcard: false,
    globIgnore: ['**/assets/**', 'diagrams/**', '**/*.{br,gz}'],
    maxAge: '1h',
  })
  // It contains the names of all other files, which are hashes of their content.
  const version = hash('sha256', await readFile(PAGES), 'base64url')
  return { publicPages, version: () => version }
}

/** Serves the frame that renders diagrams, which scripts/copy-diagrams.ts has written. */
async function mountDiagramFrame(pages: FastifyInstance): Promise<void> {
  await pages.register(fastifyStatic, {
    ...shared,
    root: fileURLToPath(new URL('client/diagrams/', BUILD)),
    prefix: '/diagrams/',
    maxAge: '1h',
    setHeaders: (reply) => void reply.headers(diagramHeaders),
  })
}

const shared = { preCompressed: true, decorateReply: false, index: false } as const

/** Returns the build of the pages. Throws `CannotStart` if there is none. */
export async function importPublicPages(): Promise<PublicPagesBuild> {
  try {
    return (await import(PAGES.href)) as PublicPagesBuild
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!absent) throw error
    throw new CannotStart('The pages are not built yet; run "npm run build" and start again.', {
      cause: error,
    })
  }
}

/** Serves the sources through Vite with hot reload. */
export async function mountDevelopment(pages: FastifyInstance): Promise<MountedBuild> {
  await mountDiagramFrame(pages)
  const { createServer } = await import('vite')
  const vite = await withoutItsSignalHandlers(() =>
    createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server: pages.server } } }),
  )
  pages.addHook('onClose', () => vite.close())
  pages.addHook('onRequest', (request, reply) => offer(vite.middlewares, request, reply))
  const load = async () => (await vite.ssrLoadModule('/web/pages/render.tsx')) as PublicPagesBuild
  return {
    publicPages: {
      ...(await load()),
      renderPage: async (page, settings) => (await load()).renderPage(page, settings),
    },
    // Nothing is cached while the sources change.
    version: randomUUID,
  }
}

/** Removes Vite's SIGTERM listeners, which would end the process before the database is closed. */
async function withoutItsSignalHandlers<T>(work: () => Promise<T>): Promise<T> {
  const own = process.listeners('SIGTERM')
  const result = await work()
  for (const listener of process.listeners('SIGTERM')) {
    if (!own.includes(listener)) process.off('SIGTERM', listener)
  }
  return result
}

/** Passes a request to Vite first. Requests that Vite does not handle continue to the pages. */
async function offer(vite: Connect.Server, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isHandled = await new Promise<boolean>((resolve, reject) => {
    reply.raw.once('close', () => resolve(true))
    vite(request.raw, reply.raw, (error?: unknown) => (error ? reject(error) : resolve(false)))
  })
  if (isHandled) reply.hijack()
}
