import * as openid from 'openid-client'
import type { Logger } from 'pino'
import { z } from 'zod'
import { isStorable } from '#contract/characters.ts'
import { email } from '#contract/identity.ts'
import type { IssuerSettings } from '#server/identity/settings.ts'

/** An OpenID Connect issuer: Google or another one. */
export type Issuer = {
  /** Returns the issuer's metadata; throws IssuerUnavailable. A failure is not cached. */
  configuration(): Promise<openid.Configuration>
}

export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

const TIMEOUT_SECONDS = 8

/** Creates an issuer and discovers its metadata in the background, so that wrong settings are logged at the start. */
export function createIssuer(settings: IssuerSettings, log: Logger): Issuer {
  let known: Promise<openid.Configuration> | null = null

  function configuration(): Promise<openid.Configuration> {
    known ??= discover(settings).catch((error: unknown) => {
      known = null
      log.warn({ issuer: settings.issuer, reason: String(error) }, 'the sign-in issuer cannot be used')
      throw new IssuerUnavailable('the sign-in issuer cannot be used', { cause: error })
    })
    return known
  }

  configuration().catch(() => undefined) // already logged
  return { configuration }
}

async function discover({ issuer, clientId, clientSecret }: IssuerSettings): Promise<openid.Configuration> {
  const found = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: checksOf(issuer),
  })
  const metadata = found.serverMetadata()
  if (metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')) return found
  const basic = openid.ClientSecretBasic(clientSecret)
  const configuration = new openid.Configuration(metadata, clientId, clientSecret, basic)
  configuration.timeout = TIMEOUT_SECONDS
  for (const set of checksOf(issuer)) set(configuration)
  return configuration
}

/** ID tokens are always verified with the issuer's keys. Plain http is allowed on loopback hosts only. */
function checksOf(issuer: string): ((configuration: openid.Configuration) => void)[] {
  const isPlain = new URL(issuer).protocol === 'http:'
  return [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])]
}

/** A person as the issuer describes them. */
export type Person = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  /** Empty if the issuer sends none. */
  name: string
  picture: string | null
}

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255).refine(isStorable),
  email: email.transform((text) => text.toLowerCase()),
  email_verified: z.boolean().catch(false),
  name: z.string().max(1000).refine(isStorable).catch(''),
  picture: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable()
    .catch(null),
})

/** Returns the person of verified tokens, from the issuer's user info endpoint if its ID tokens contain no email. */
export async function personOf(
  configuration: openid.Configuration,
  tokens: { access_token: string; claims(): openid.IDToken | undefined },
): Promise<Person> {
  const token = tokens.claims()
  if (token === undefined) throw new Error('the issuer sent no ID token')
  const known =
    token.email === undefined
      ? { ...(await openid.fetchUserInfo(configuration, tokens.access_token, token.sub)), ...token }
      : token
  const parsed = claims.safeParse(known)
  if (!parsed.success)
    throw new Error(`the issuer's claims have no usable ${parsed.error.issues[0]?.path.join('.')}`)
  const { iss, sub, email, email_verified, name, picture } = parsed.data
  return { issuer: iss, subject: sub, email, emailVerified: email_verified, name, picture }
}
