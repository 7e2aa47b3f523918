import { randomUUID } from 'node:crypto'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { SIGN_IN_BYTES_MAX } from '#contract/identity.ts'
import type { RunCall } from '#contract/rendering.ts'
import { createProgramAuthenticate, isAccessToken } from './access-tokens/authenticate.ts'
import { accessTokenRoutes } from './access-tokens/routes.ts'
import { passkeyRoutes } from './account/passkeys.ts'
import { profilePictureRoutes } from './account/picture.ts'
import { accountRoutes } from './account/routes.ts'
import { activityRoutes } from './activity/routes.ts'
import { hasLeft } from './activity/service.ts'
import { administrationRoutes } from './administration/routes.ts'
import { limitInvitationRequests } from './collaborators/rate-limits.ts'
import { collaboratorRoutes } from './collaborators/routes.ts'
import type { AppDeps } from './deps.ts'
import { draftRoutes } from './drafts/routes.ts'
import { entryRoutes } from './entries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { mediaRoutes } from './files/media-routes.ts'
import { fileRoutes } from './files/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { identityRoutes } from './identity/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { milestoneRoutes } from './milestones/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { contentSecurityPolicy, type PagesMode } from './pages/headers.ts'
import { mountPages } from './pages/mount.ts'
import { projectRefOf, requireAccess } from './permissions/access.ts'
import { requireAdministrator } from './permissions/administrators.ts'
import { permissionRoutes } from './permissions/routes.ts'
import { type Authenticate, createCalls } from './platform/calls.ts'
import { overloaded } from './platform/errors.ts'
import { guardApi, refuseUnknownCalls } from './platform/http/api-guard.ts'
import { readBodies } from './platform/http/bodies.ts'
import { connectionOptions, limitBodies } from './platform/http/connections.ts'
import { watchDeparted } from './platform/http/departed.ts'
import { handleErrors } from './platform/http/error-handler.ts'
import { mountHealth } from './platform/http/health.ts'
import { mountDocs } from './platform/http/openapi.ts'
import { normalizeTarget, refuseSecondHost } from './platform/http/request-target.ts'
import { type Admit, type PoolCounts, watchEventLoop, watchLoad } from './platform/load/overload.ts'
import { createSearch } from './platform/load/search.ts'
import type { LoadLimits, Timeouts } from './platform/load/settings.ts'
import { logResponses } from './platform/logger.ts'
import { type Metrics, mountMetrics } from './platform/metrics/metrics.ts'
import { presenceRoutes } from './presence/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { hasDeleted } from './trash/repeated.ts'
import { trashRoutes } from './trash/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { createPublicPageQueries } from './world/page-versions.ts'
import { pictureRoutes } from './world/picture/routes.ts'
import { worldRoutes } from './world/routes.ts'
import { sitemapRoutes } from './world/sitemap/routes.ts'

/** The options of the HTTP application. */
export type AppOptions = {
  publicUrl: string
  /** Whether forwarded IP addresses are trusted, and from which proxies. */
  trustProxy: boolean | string | string[]
  rateLimit: boolean
  /** Whether the entry editor shows its image section. */
  entryImages: boolean
  /** The maximum number of database connections of this process. */
  databasePoolSize: number
  /** Defaults to two seconds. */
  searchTimeoutMs?: number
  /** The maximum number of event streams of this process. */
  eventStreamsMax: number
  /** If absent, there are no timeouts for slow clients. */
  timeouts?: Timeouts
  /** If absent, no requests are refused because of overload. */
  load?: { limits: LoadLimits; pool: PoolCounts }
  /** If absent, there are no metrics. */
  metrics?: { figures: Metrics; token: string | undefined } | undefined
  /** `none` omits the pages, for tests of the API. */
  pages: PagesMode | 'none'
}

/** For tests and scripts that call the API in process: no pages, no rate limits, no load limits. */
export const inProcessOptions: AppOptions = {
  publicUrl: 'http://localhost:3000',
  trustProxy: false,
  rateLimit: false,
  entryImages: false,
  databasePoolSize: 10,
  eventStreamsMax: 100,
  pages: 'none',
}

/** Builds the application on its dependencies. It does not listen yet. */
export async function buildApp(deps: AppDeps, options: AppOptions): Promise<FastifyInstance> {
  const app = createServer(deps.log, options)
  watchDeparted(app, options.metrics?.figures.departed)
  if (options.timeouts) limitBodies(app, options.timeouts)
  readBodies(app)
  handleErrors(app, deps.disk)
  refuseSecondHost(app)
  logResponses(app)
  watchEventLoop(app)
  if (options.metrics) mountMetrics(app, options.metrics.figures, options.metrics.token)
  await mountHealth(app, deps.db, { ...options, disk: deps.disk })
  const load = options.load && watchLoad(app, options.load.limits, options.load.pool)
  const admit: Admit = async (request) => {
    if (load?.hasRoom() === false) throw overloaded()
    if (options.rateLimit) await limitInvitationRequests(deps, request)
  }

  let runCall: RunCall | undefined
  await app.register(async (api) => {
    runCall = await mountApi(api, deps, { ...options, admit })
  })
  if (options.pages !== 'none' && runCall) {
    await mountPages(app, {
      runCall,
      publicPages: createPublicPageQueries(deps.db),
      clock: deps.clock,
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
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    bodyLimit: 2_000_000,
    // On a slow machine the pages alone may take longer to load than the default ten seconds.
    pluginTimeout: 120_000,
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    // mountHealth refuses requests while the server closes.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 500 },
    ...(timeouts && connectionOptions(timeouts)),
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('upload', null)
  app.setValidatorCompiler(validatorCompiler)
  // Presenters have already picked the fields, and tests check every response against its schema.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    done()
  })
  return app
}

/** Returns at most `most` connections, and fewer if the pool is small, so that other requests still get one. */
const shareOf = (poolSize: number, most: number) => Math.max(1, Math.min(most, Math.floor(poolSize * 0.4)))

async function mountApi(
  api: FastifyInstance,
  deps: AppDeps,
  options: AppOptions & { admit: Admit },
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
    maxStreams: shareOf(options.databasePoolSize, 4),
    hasDeleted: (caller, id, params) => hasDeleted(deps.db, caller, id, params),
    hasLeft: (caller, params) => hasLeft(deps.db, caller, params),
  })
  const search = createSearch(deps.db, {
    atOnce: shareOf(options.databasePoolSize, 3),
    ...(options.searchTimeoutMs !== undefined && { timeoutMs: options.searchTimeoutMs }),
  })
  identityRoutes(serve, deps)
  accountRoutes(serve, deps)
  passkeyRoutes(serve, deps)
  accessTokenRoutes(serve, deps)
  exportRoutes(api, serve, deps)
  administrationRoutes(serve, deps, options)
  statsRoutes(serve, deps)
  projectRoutes(serve, deps)
  permissionRoutes(serve, deps)
  worldRoutes(serve, deps)
  milestoneRoutes(serve, deps)
  entryRoutes(serve, deps, { ...options, search })
  historyRoutes(serve, deps)
  draftRoutes(serve, deps)
  fileRoutes(serve, deps)
  collaboratorRoutes(serve, deps, { ...options, search })
  notificationRoutes(serve, deps)
  activityRoutes(serve, deps)
  presenceRoutes(serve, deps)
  trashRoutes(serve, deps)
  webhookRoutes(serve, deps)
  mediaRoutes(api, deps)
  profilePictureRoutes(api, deps)
  eventRoutes(api, deps, { ...options, authenticate })
  pictureRoutes(api, deps)
  sitemapRoutes(api, deps, options)
  mcpRoutes(api, { publicUrl, authenticate })
  return runCall
}
