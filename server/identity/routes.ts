import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'

export function identityRoutes(serve: Serve, { identity, registration, texts }: AppDeps): void {
  serve('readIdentityOptions', async () => {
    const [{ mode, domains }, shown] = await Promise.all([registration.readCached(), texts.readCached()])
    return { ...identity.options, ...shown, registration: mode, emailDomains: domains }
  })
  serve('exchangeToken', ({ body }) => identity.exchange(body))
  serve('readMe', ({ caller }) => identity.me(caller))
  serve('signOut', ({ caller }) => identity.signOut(caller))
}
