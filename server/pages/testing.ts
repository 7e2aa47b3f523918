import { type FastifyInstance, fastify } from 'fastify'
import type { RunCall } from '#contract/rendering.ts'
import type { Following } from '#server/followers/following.ts'
import type { PublicReader } from '#server/pages/page-data.ts'
import type { PagesOptions } from '#server/pages/render.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { normalizeTarget } from '#server/platform/api/request-target.ts'
import type { Reacting } from '#server/reactions/reacting.ts'
import type { SharedLinks } from '#server/shares/visits.ts'
import type { NewsStopping } from '#server/watching/mail/stopping.ts'
import { mountPages } from './mount.ts'

type Results = { [name in Parameters<RunCall>[0]]?: () => unknown }

const nothingYet: Results = {
  readIdentityOptions: () => ({ provider: 'local', google: false, sendsMail: false }),
  readEntryOptions: () => ({ images: false }),
  readStats: () => ({ projects: 3, milestones: 7, entries: 12 }),
  countUsers: () => ({ total: 2 }),
}

/** The built pages on a fake API that returns `results` and otherwise finds nothing. Errors are collected in `logged`. */
export async function testPages(results: Results = {}, instead: Partial<PagesOptions> = {}) {
  const logged: { err: Error; reqId: string }[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const app: FastifyInstance = fastify({
    // As in server/app.ts: on a busy machine the pages take longer to load than the usual ten seconds.
    pluginTimeout: 120_000,
    logger: { level: 'error', stream },
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    routerOptions: { maxParamLength: 500 },
  })
  const runCall = async (name: keyof Results) => {
    const given = { ...nothingYet, ...results }[name]
    if (!given) throw notFound('Project')
    return given()
  }
  await mountPages(app, {
    runCall: runCall as RunCall,
    reader: {
      page: () => runCall('readWorldPage'),
      entry: () => runCall('readWorldEntry'),
      entries: () => runCall('listWorldEntries'),
      story: () => runCall('readStory'),
      projectAt: async () => null,
    } as unknown as PublicReader,
    searchPublic: async () => {
      throw notFound('Project')
    },
    publicPages: { version: async () => 'one' },
    profileVersion: async () => null,
    shares: { hasOpened: () => false, open: async () => null } as unknown as SharedLinks,
    following: {} as unknown as Following,
    newsStopping: {} as unknown as NewsStopping,
    reacting: {} as unknown as Reacting,
    sendsMail: false,
    clock: () => new Date(),
    rateLimit: false,
    publicUrl: 'http://localhost:3000',
    mode: 'built',
    ...instead,
  })
  return { app, logged }
}
