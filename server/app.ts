import { randomUUID } from 'node:crypto'
import { callbackify } from 'node:util'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { SIGN_IN_BYTES_MAX } from '#contract/identity.ts'
import type { RunCall } from '#contract/rendering.ts'
import { createProgramAuthenticate, isAccessToken } from './access-tokens/authenticate.ts'
import { hasLeft } from './activity/service.ts'
import type { AppOptions } from './app-options.ts'
import { carriesInvitation, limitInvitationRequests } from './collaborators/rate-limits.ts'
import type { AppDeps } from './deps.ts'
import { features } from './features.ts'
import { contentSecurityPolicy } from './pages/headers.ts'
import { mountPages } from './pages/mount.ts'
import { projectRefOf, requireAccess } from './permissions/access.ts'
import { requireAdministrator } from './permissions/administrators.ts'
import { guardApi, refuseUnknownCalls } from './platform/api/api-guard.ts'
import { readBodies } from './platform/api/bodies.ts'
import { type Authenticate, createCalls } from './platform/api/calls.ts'
import { connectionOptions, HEADERS_BYTES, limitBodies } from './platform/api/connections.ts'
import { watchDeparted } from './platform/api/departed.ts'
import { handleErrors } from './platform/api/error-handler.ts'
import { overloaded } from './platform/api/errors.ts'
import { mountHealth } from './platform/api/health.ts'
import { mountDocs } from './platform/api/openapi.ts'
import { checkTargets, normalizeTarget } from './platform/api/request-target.ts'
import { speakPlainly } from './platform/api/sentences.ts'
import { type Admit, watchEventLoop, watchLoad } from './platform/limits/overload.ts'
import { createSearch, type RunSearch } from './platform/limits/search.ts'
import { logResponses } from './platform/log/logger.ts'
import { mountMetrics } from './platform/metrics/metrics.ts'
import { withoutPorts } from './platform/network.ts'
import { hasDeleted } from './trash/repeated.ts'

/** Builds the application on its dependencies. It does not listen yet. */
export async function buildApp(deps: AppDeps, options: AppOptions): Promise<FastifyInstance> {
  const app = createServer(deps.log, options)
  watchDeparted(app, options.metrics?.figures.departed)
  if (options.timeouts) limitBodies(app, options.timeouts)
  readBodies(app)
  handleErrors(app, deps.disk)
  checkTargets(app)
  logResponses(app)
  watchEventLoop(app)
  if (options.metrics) mountMetrics(app, options.metrics.figures, options.metrics.token)
  await mountHealth(app, deps.db, { ...options, disk: deps.disk })
  const load = options.load && watchLoad(app, options.load.limits, options.load.pool)
  const limitInvitation = callbackify((request: FastifyRequest) => limitInvitationRequests(deps, request))
  const admit: Admit = (request, _reply, done) => {
    if (load?.hasRoom() === false) done(overloaded())
    else if (options.rateLimit && carriesInvitation(request)) limitInvitation(request, done)
    else done()
  }

  const search = createSearch(deps.db, {
    atOnce: shareOf(options.databasePoolSize, 3),
    ...(options.searchTimeoutMs !== undefined && { timeoutMs: options.searchTimeoutMs }),
  })

  let runCall: RunCall | undefined
  await app.register(async (api) => {
    runCall = await mountApi(api, deps, { ...options, admit, search })
  })
  if (options.pages !== 'none' && runCall) {
    await mountPages(app, {
      deps,
      features,
      runCall,
      search,
      publicUrl: options.publicUrl,
      mode: options.pages,
      authDomain: deps.identity.options.firebase?.authDomain,
      videoHosts: deps.fileSettings.videoHosts,
      admit,
      rateLimit: options.rateLimit,
    })
  }
  await load?.begin()
  return app
}

/** Creates the server without routes. Every response has the id of its request. */
function createServer(
  log: FastifyBaseLogger,
  { trustProxy, timeouts }: Pick<AppOptions, 'trustProxy' | 'timeouts'>,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    trustProxy,
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/', request.method),
    bodyLimit: 2_000_000,
    // On a slow machine the pages alone may take longer to load than the default ten seconds.
    pluginTimeout: 120_000,
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    // mountHealth refuses requests while the server closes.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    // An id or a token of any length reaches its call, which says that there is no such thing.
    routerOptions: { maxParamLength: HEADERS_BYTES },
    ...(timeouts && connectionOptions(timeouts)),
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('upload', null)
  speakPlainly()
  app.setValidatorCompiler(validatorCompiler)
  // Presenters have already picked the fields, and tests check every response against its schema.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request
    const forwarded = headers['x-forwarded-for']
    if (forwarded !== undefined) headers['x-forwarded-for'] = withoutPorts(String(forwarded))
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  return app
}

/** Returns at most `most` connections, and fewer if the pool is small, so that other requests still get one. */
const shareOf = (poolSize: number, most: number) => Math.max(1, Math.min(most, Math.floor(poolSize * 0.4)))

async function mountApi(
  api: FastifyInstance,
  deps: AppDeps,
  options: AppOptions & { admit: Admit; search: RunSearch },
): Promise<RunCall> {
  await guardApi(api, options)
  refuseUnknownCalls(api)
  const { publicUrl } = options
  await mountDocs(api, {
    publicUrl,
    contentSecurityPolicy: contentSecurityPolicy({ publicUrl, mode: 'built' }, [], []),
  })
  await api.register(async (provider) => {
    provider.addHook('onRoute', (route) => {
      route.bodyLimit = SIGN_IN_BYTES_MAX
    })
    await deps.identity.mountProvider(provider)
  })

  const authenticateProgram = createProgramAuthenticate(deps, options)
  const authenticate: Authenticate = (token) =>
    isAccessToken(token) ? authenticateProgram(token) : deps.identity.authenticate(token)
  const { serve, runCall } = createCalls(api, {
    authenticate,
    authorize: (caller, action, params) => requireAccess(deps.db, caller, action, projectRefOf(params)),
    requireAdministrator: (caller) => requireAdministrator(deps.db, caller),
    requireProof: (caller) => deps.identity.requireProof(caller),
    maxStreams: shareOf(options.databasePoolSize, 4),
    hasDeleted: (caller, id, params) => hasDeleted(deps.db, caller, id, params),
    hasLeft: (caller, params) => hasLeft(deps.db, caller, params),
  })
  const mounting = { api, serve, deps, options: { ...options, authenticate }, features }
  for (const { routes } of features) routes?.(mounting)
  return runCall
}
