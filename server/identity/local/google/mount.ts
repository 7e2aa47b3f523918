import type { FastifyInstance } from 'fastify'
import type { TakeoverHook } from '#server/identity/identity.ts'
import { ADDRESS_HEADER, type Auth, type AuthSettings } from '#server/identity/local/auth.ts'
import { createIssuer } from './issuer.ts'
import { createRoundTrips } from './round-trip.ts'
import { googleRoutes } from './routes.ts'
import { createGoogleService } from './service.ts'
import type { IssuerSettings } from './settings.ts'

type Settings = AuthSettings & { clock: () => Date; onTakeover?: TakeoverHook | undefined }

/** Google sign-in for the accounts of the local provider; returns what mounts its routes. */
export function createGoogle(auth: Auth, settings: Settings, issuerSettings: IssuerSettings) {
  const { db, secrets, publicUrl, clock, log, onTakeover } = settings
  const secure = publicUrl.startsWith('https:')
  const service = createGoogleService({
    db,
    issuer: createIssuer(issuerSettings, log),
    roundTrips: createRoundTrips({ db, secret: secrets.current, secure, clock }),
    onTakeover,
    async openSession(userId, address) {
      const { headers } = await auth.api.openSession({
        body: { userId },
        headers: new Headers({ [ADDRESS_HEADER]: address }),
        returnHeaders: true,
      })
      return headers.getSetCookie()
    },
  })
  return (app: FastifyInstance) => googleRoutes(app, service, publicUrl)
}
