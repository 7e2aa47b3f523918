import { type FastifyInstance, fastify } from 'fastify'
import type { Answer } from '#contract/rendering.ts'
import type { PagesOptions } from '#server/pages/render.ts'
import { mountPages } from '#server/pages.ts'
import { notFound } from '#server/platform/errors.ts'
import { normalizeTarget } from '#server/platform/http/request-target.ts'

type Answers = { [name in Parameters<Answer>[0]]?: () => unknown }

const nothingYet: Answers = {
  readIdentityOptions: () => ({ provider: 'local', google: false }),
  readEntryOptions: () => ({ images: false }),
  readStats: () => ({ projects: 3, milestones: 7, entries: 12 }),
  countUsers: () => ({ total: 2 }),
}

/** The built pages on an API that answers what a test says, and otherwise knows of nothing. Errors land in `logged`. */
export async function testPages(answers: Answers = {}, instead: Partial<PagesOptions> = {}) {
  const logged: { err: Error; reqId: string }[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const app: FastifyInstance = fastify({
    logger: { level: 'error', stream },
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    routerOptions: { maxParamLength: 500 },
  })
  const answer = async (name: keyof Answers) => {
    const given = { ...nothingYet, ...answers }[name]
    if (!given) throw notFound('Project')
    return given()
  }
  await mountPages(app, {
    answer: answer as Answer,
    publicPages: { version: async () => 'one', find: async () => 'found' },
    clock: () => new Date(),
    rateLimit: false,
    publicUrl: 'http://localhost:3000',
    mode: 'built',
    ...instead,
  })
  return { app, logged }
}
