import { type FastifyInstance, fastify } from 'fastify'
import type { RunCall } from '#contract/rendering.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { features } from '#server/features.ts'
import { HEADERS_BYTES } from '#server/platform/api/connections.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { normalizeTarget } from '#server/platform/api/request-target.ts'
import { projectSources } from '#server/public/pages.ts'
import { mountPages } from './mount.ts'
import type { PagesOptions } from './render.ts'
import type { FeaturePages, PublicReader } from './sources.ts'

type Results = { [name in Parameters<RunCall>[0]]?: () => unknown }

const nothingYet: Results = {
  readIdentityOptions: () => ({ provider: 'local', google: false, sendsMail: false }),
  readEntryOptions: () => ({ images: false }),
  readStats: () => ({ projects: 3, milestones: 7, entries: 12 }),
  countUsers: () => ({ total: 2 }),
}

type Instead = Partial<PagesOptions> & {
  /** The version of every public project; null for none. */
  version?: () => Promise<string | null>
}

/** The built pages on a fake API that returns `results` and otherwise finds nothing. Errors are collected in `logged`. */
export async function testPages(
  results: Results = {},
  { version = async () => 'one', ...instead }: Instead = {},
) {
  const logged: { err: Error; reqId: string }[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const app: FastifyInstance = fastify({
    // As in server/app.ts: on a busy machine the pages take longer to load than the usual ten seconds.
    pluginTimeout: 120_000,
    logger: { level: 'error', stream },
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    routerOptions: { maxParamLength: HEADERS_BYTES },
  })
  const runCall = async (name: keyof Results) => {
    const given = { ...nothingYet, ...results }[name]
    if (!given) throw notFound('Project')
    return given()
  }
  const reader = {
    page: () => runCall('readWorldPage'),
    entry: () => runCall('readWorldEntry'),
    entries: () => runCall('listWorldEntries'),
    story: () => runCall('readStory'),
  } as unknown as PublicReader
  const fake: FeaturePages = {
    sources: projectSources(reader),
    subjects: { projectId: { version }, profile: { version: async () => null } },
  }
  await mountPages(app, {
    deps: { sendsMail: false, clock: () => new Date() } as unknown as AppDeps,
    features: [...features, { name: 'fake', pages: () => fake } satisfies Feature],
    runCall: runCall as RunCall,
    search: async () => {
      throw notFound('Project')
    },
    rateLimit: false,
    publicUrl: 'http://localhost:3000',
    mode: 'built',
    ...instead,
  })
  return { app, logged }
}
