import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { FILE_BYTES_MAX } from '#contract/wire.ts'
import { AppError } from '#server/platform/errors.ts'
import { limitRequests } from '#server/platform/limits/requests.ts'
import type { Admit } from '#server/platform/load/overload.ts'
import { setSafeHeaders } from '#server/platform/patched/helmet-headers.ts'

const ONE_YEAR_S = 31_536_000
/** A field of a form: the content of an entry, each of whose characters may take four bytes. */
const FIELD_BYTES = 800_000

type Guarded = { rateLimit: boolean; publicUrl: string; admit: Admit }

/** What stands before every call: safe headers, no caching, bounded forms, a limit by address. */
export async function guardApi(api: FastifyInstance, options: Guarded): Promise<void> {
  setSafeHeaders(api, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: options.publicUrl.startsWith('https:') && {
      maxAge: ONE_YEAR_S,
      includeSubDomains: false,
    },
  })
  api.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  api.addHook('onRequest', options.admit)
  await api.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fieldSize: FIELD_BYTES, fields: 20, files: 1, fileSize: FILE_BYTES_MAX, headerPairs: 20 },
  })
  if (options.rateLimit) await limitRequests(api)
}

/** Where what a path cannot be asked to do ends up, and every path that is none. */
const REST = '/api/*'

/** Answers what no route of the API takes: 405 with what the path does take, or 404. To be mounted before the routes. */
export function refuseUnknownCalls(api: FastifyInstance): void {
  const taken: { pattern: RegExp; methods: string[] }[] = []
  api.addHook('onRoute', ({ url, method }) => {
    if (url !== REST) taken.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  api.all(REST, { schema: { hide: true } }, async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = taken.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods)
    if (methods.length === 0) throw new AppError('not_found', 'The API has nothing at this address')
    reply.header('allow', [...new Set(methods)].sort().join(', '))
    throw new AppError('wrong_method', 'This address of the API does not take that method')
  })
}

/** `/api/projects/:projectId` and `/api/docs/*`, as expressions. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
