import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'

export function identityRoutes(serve: Serve, { identity, registration, texts }: AppDeps): void {
  const readSettings = () => Promise.all([registration.readCached(), texts.readCached()])
  const optionsOf = ([{ mode, domains }, shown]: Awaited<ReturnType<typeof readSettings>>) => ({
    ...identity.options,
    ...shown,
    registration: mode,
    emailDomains: domains,
  })
  let latest: { settings: unknown[]; options: ReturnType<typeof optionsOf> } | undefined
  /** The same object until a setting is read again, because each page asks for it. */
  serve('readIdentityOptions', async () => {
    const settings = await readSettings()
    if (latest?.settings[0] !== settings[0] || latest.settings[1] !== settings[1])
      latest = { settings, options: optionsOf(settings) }
    return latest.options
  })
  serve('exchangeToken', ({ body }) => identity.exchange(body))
  serve('readMe', ({ caller }) => identity.me(caller))
  serve('signOut', ({ caller }) => identity.signOut(caller))
}
