import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { PagesBuild, Render } from '#contract/rendering.ts'
import { CannotStart } from '#server/cannot-start.ts'

const BUILD = new URL('../../build/', import.meta.url)
const SERVER = new URL('server/index.js', BUILD)

/** A build of the pages that this server mounted. */
export type MountedBuild = PagesBuild & {
  /** Differs between builds. */
  version: string
}

/** What `web/entry.server.tsx` exports besides React Router's own. */
type Entry = {
  rendererOf: (build: ServerBuild, mode: 'production' | 'development') => Render
  cachedRoutesOf: (build: ServerBuild) => Omit<PagesBuild, 'render'>
}

/** The functions with which a build renders its own pages. */
export const entryOf = (build: ServerBuild) => build.entry.module as ServerBuild['entry']['module'] & Entry

/** Serves the files of the build, compressed in advance, and renders its pages. */
export async function mountBuilt(pages: FastifyInstance): Promise<MountedBuild> {
  const build = await importBuild()
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
    globIgnore: ['**/assets/**', '**/*.{br,gz}'],
    maxAge: '1h',
  })
  return {
    ...entryOf(build).cachedRoutesOf(build),
    render: entryOf(build).rendererOf(build, 'production'),
    // It contains the names of all other files, which are hashes of their content.
    version: hash('sha256', await readFile(SERVER), 'base64url'),
  }
}

const shared = { preCompressed: true, decorateReply: false, index: false } as const

async function importBuild(): Promise<ServerBuild> {
  try {
    return await import(SERVER.href)
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!absent) throw error
    throw new CannotStart('The pages are not built yet; run "npm run build" and start again.', {
      cause: error,
    })
  }
}
