import * as openid from 'openid-client'
import type { Logger } from 'pino'
import { GOOGLE, type IssuerSettings } from '#server/identity/settings.ts'
import { createSignatureCheck, SIGNATURES, type SignatureCheck } from './id-token-signature.ts'

/** An OpenID Connect issuer: Google or another one. */
export type Issuer = {
  /** Returns the issuer's metadata; throws IssuerUnavailable. A failure is not cached. */
  configuration(): Promise<openid.Configuration>
  /** Exchanges the code of the issuer's response for tokens whose ID token is verified. Throws IssuerUnavailable. */
  redeem(answer: URL, checks: openid.AuthorizationCodeGrantChecks): Promise<Tokens>
}

/** The tokens of a person, and how to ask the issuer for claims that the ID token lacks. */
export type Tokens = {
  claims: openid.IDToken
  userInfo: () => Promise<openid.UserInfoResponse>
}

export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

/** Issuers that accept `prompt=select_account` without saying so in their metadata. */
const HOSTS_WITH_CHOOSER = ['login.microsoftonline.com', 'login.microsoft.com', 'sts.windows.net']

const TIMEOUT_SECONDS = 8

/** An issuer's configurations, one for each way to authenticate this server, with the one to try first. */
type Discovered = { ways: openid.Configuration[]; first: number; check: SignatureCheck }

/** Creates an issuer and discovers its metadata in the background, so that wrong settings are logged at the start. */
export function createIssuer(settings: IssuerSettings, log: Logger): Issuer {
  let known: Promise<Discovered> | null = null

  function discovered(): Promise<Discovered> {
    known ??= discover(settings).catch((error: unknown) => {
      known = null
      log.warn({ issuer: settings.issuer, reason: String(error) }, 'the sign-in issuer cannot be used')
      throw new IssuerUnavailable('the sign-in issuer cannot be used', { cause: error })
    })
    return known
  }

  discovered().catch(() => undefined) // already logged
  return {
    configuration: async () => firstOf(await discovered()),

    async redeem(answer, checks) {
      const found = await discovered()
      const tokens = await grant(found, answer, checks)
      const claims = tokens.claims()
      if (tokens.id_token === undefined || claims === undefined)
        throw new Error('the issuer sent no ID token')
      await found.check(tokens.id_token)
      return {
        claims,
        userInfo: () => openid.fetchUserInfo(firstOf(found), tokens.access_token, claims.sub),
      }
    },
  }
}

function firstOf({ ways, first }: Discovered): openid.Configuration {
  const way = ways[first]
  if (!way) throw new Error('the issuer has no configuration')
  return way
}

/** Exchanges the code, with the other client authentication if the issuer refuses the first one. Remembers the one that worked. */
async function grant(found: Discovered, answer: URL, checks: openid.AuthorizationCodeGrantChecks) {
  try {
    return await openid.authorizationCodeGrant(firstOf(found), answer, checks)
  } catch (error) {
    const other = found.ways[1 - found.first]
    if (!isInvalidClient(error) || !other) throw error
    const tokens = await openid.authorizationCodeGrant(other, answer, checks)
    found.first = 1 - found.first
    return tokens
  }
}

/** Whether the issuer refused this server's client credentials, or the way in which they were sent. */
function isInvalidClient(error: unknown): boolean {
  if (error instanceof openid.WWWAuthenticateChallengeError) return true
  return error instanceof openid.ResponseBodyError && error.error === 'invalid_client'
}

async function discover({ issuer, clientId, clientSecret }: IssuerSettings): Promise<Discovered> {
  const isPlain = new URL(issuer).protocol === 'http:'
  const execute = isPlain ? [openid.allowInsecureRequests] : []
  const metadata = await openid
    .discovery(new URL(issuer), clientId, clientSecret, undefined, { timeout: TIMEOUT_SECONDS, execute })
    .then(
      (found): openid.ServerMetadata => found.serverMetadata(),
      (error: unknown) => metadataBesideSlash(error, issuer),
    )
  // Our own check decides which signatures are accepted.
  const accepting = { ...metadata, id_token_signing_alg_values_supported: SIGNATURES }
  const ways = authenticationsOf(metadata, issuer, clientSecret).map((authentication) => {
    const way = new openid.Configuration(accepting, clientId, clientSecret, authentication)
    way.timeout = TIMEOUT_SECONDS
    for (const set of execute) set(way)
    return way
  })
  const check = createSignatureCheck({
    keysUrl: metadata.jwks_uri,
    clientSecret,
    isPlain,
    timeoutMs: TIMEOUT_SECONDS * 1000,
  })
  return { ways, first: 0, check }
}

/** Returns the metadata of an issuer whose name differs from the setting in a final slash only. Throws the error of others. */
function metadataBesideSlash(error: unknown, issuer: string): openid.ServerMetadata {
  const { cause } = error instanceof Error ? error : {}
  if (typeof cause === 'object' && cause !== null && 'body' in cause && 'attribute' in cause) {
    const metadata = cause.body as openid.ServerMetadata
    if (cause.attribute === 'issuer' && withoutSlash(metadata.issuer) === withoutSlash(issuer))
      return metadata
  }
  throw error
}

/** Returns an issuer's URL without a final slash. */
const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '')

/** Returns both ways to send the client secret, the likelier first: the issuer's list says what it supports, not what it expects of this client. */
function authenticationsOf(
  { token_endpoint_auth_methods_supported: listed }: openid.ServerMetadata,
  issuer: string,
  secret: string,
): openid.ClientAuth[] {
  const ways = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  const isPostFirst =
    listed?.includes('client_secret_post') && (issuer === GOOGLE || !listed.includes('client_secret_basic'))
  return isPostFirst ? ways.toReversed() : ways
}

/**
 * Returns the parameters that make the issuer authenticate the person again. Google knows neither of them, and lets the person choose
 * the account.
 */
export function reauthenticationOf({ issuer }: { issuer: string }): Record<string, string> {
  return issuer === GOOGLE ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' }
}

/** Returns the parameter that makes the issuer ask for the account; none if it may refuse the parameter, as Authelia and Hydra do. */
export function promptOf({
  issuer,
  prompt_values_supported: listed,
}: {
  issuer: string
  prompt_values_supported?: unknown
}): { prompt?: string } {
  const { hostname } = new URL(issuer)
  const isListed = Array.isArray(listed) && listed.includes('select_account')
  const isKnown =
    issuer === GOOGLE ||
    HOSTS_WITH_CHOOSER.includes(hostname) ||
    /\.(b2clogin|ciamlogin)\.com$/.test(hostname)
  return isListed || isKnown ? { prompt: 'select_account' } : {}
}
