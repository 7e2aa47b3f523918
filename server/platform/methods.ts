import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

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
