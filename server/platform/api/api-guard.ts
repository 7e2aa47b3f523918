import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { EXPECTED, OWN_AUTHORIZATION } from '#contract/authorization-header.ts'
import { IMAGE_BYTES_MAX } from '#contract/parts/wire.ts'
import type { Admit } from '#server/platform/limits/overload.ts'
import { limitRequests } from '#server/platform/limits/requests.ts'
import { isAuthorizationOfProxy } from './calls.ts'
import { AppError } from './errors.ts'

const ONE_YEAR_S = 31_536_000
/** The largest field of a form is the content of an entry, at up to four bytes a character. */
const FIELD_BYTES = 800_000
/** Each of the fifty tags of an entry may have a field of its own. */
const FIELDS_MAX = 80

type GuardOptions = { rateLimit: boolean; publicUrl: string; admit: Admit }

/** Adds the rules for all calls: security headers, no caching, limits on forms, a rate limit by network. */
export async function guardApi(api: FastifyInstance, options: GuardOptions): Promise<void> {
  const setSecurityHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: options.publicUrl.startsWith('https:') && {
      maxAge: ONE_YEAR_S,
      includeSubDomains: false,
    },
  })
  api.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    if (isAuthorizationOfProxy(request)) reply.header(OWN_AUTHORIZATION, EXPECTED)
    setSecurityHeaders(request.raw, reply.raw, () => done())
  })
  api.addHook('onRequest', options.admit)
  await api.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldSize: FIELD_BYTES,
      fields: FIELDS_MAX,
      files: 1,
      fileSize: IMAGE_BYTES_MAX,
      headerPairs: 20,
    },
  })
  if (options.rateLimit) await limitRequests(api)
}

/** Matches the calls that no other route handles. */
const UNMATCHED = '/api/*'

/**
 * Refuses calls that no route of the API handles: 405 with the methods that the path allows, or 404. Call it before the
 * routes are added.
 */
export function refuseUnknownCalls(api: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string[] }[] = []
  api.addHook('onRoute', ({ url, method }) => {
    if (url !== UNMATCHED) known.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  api.all(UNMATCHED, { schema: { hide: true } }, async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods)
    if (methods.length === 0) throw new AppError('not_found', 'The API has nothing at this address')
    reply.header('allow', [...new Set(methods)].sort().join(', '))
    throw new AppError('wrong_method', 'This endpoint does not support that method')
  })
}

/** The regular expression for a path such as `/api/projects/:projectId` or `/api/docs/*`. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
