import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'

export function identityRoutes(serve: Serve, { identity }: AppDeps): void {
  serve('readIdentityOptions', async () => identity.options)
  serve('exchangeToken', ({ body }) => identity.exchange(body))
  serve('readMe', ({ caller }) => identity.me(caller))
  serve('signOut', ({ caller }) => identity.signOut(caller))
}
