import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import { CannotStart } from '#server/cannot-start.ts'
import { entryOf, type MountedBuild } from './mounted-build.ts'

const BUILD = new URL('../../build/', import.meta.url)
const SERVER = new URL('server/index.js', BUILD)

/** Serves the files of the build, compressed ahead, and renders its pages. */
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
    // It names its other files, and they are named by their content.
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
