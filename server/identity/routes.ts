import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'

type IdentityRouteOptions = { termsUrl?: string | undefined }

export function identityRoutes(
  serve: Serve,
  { identity, registration }: AppDeps,
  { termsUrl }: IdentityRouteOptions,
): void {
  serve('readIdentityOptions', async () => {
    const { mode, domains } = await registration.shown()
    return {
      ...identity.options,
      ...(termsUrl && { termsUrl }),
      registration: mode,
      emailDomains: domains,
    }
  })
  serve('exchangeToken', ({ body }) => identity.exchange(body))
  serve('readMe', ({ caller }) => identity.me(caller))
  serve('signOut', ({ caller }) => identity.signOut(caller))
}
