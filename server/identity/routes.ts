import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'

export function identityRoutes(serve: Serve, { identity }: Parts): void {
  serve('readIdentityOptions', async () => identity.options)
  serve('exchangeToken', ({ body }) => identity.exchange(body))
  serve('readMe', ({ caller }) => identity.me(caller))
  serve('signOut', ({ caller }) => identity.signOut(caller))
}
