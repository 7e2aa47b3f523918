import * as openid from 'openid-client'
import type { Logger } from 'pino'
import type { IssuerSettings } from './settings.ts'

/** An OpenID Connect issuer, Google or another. */
export type Issuer = {
  /** What it published of itself; throws IssuerUnavailable. A failure is forgotten, so that the next one asks again. */
  configuration(): Promise<openid.Configuration>
}

export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

const TIMEOUT_SECONDS = 8

/** The issuer, asked at once, so that a wrong setting is in the log of the start; that waits for no answer. */
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

  configuration().catch(() => undefined) // told in the log already
  return { configuration }
}

async function discover({ issuer, clientId, clientSecret }: IssuerSettings): Promise<openid.Configuration> {
  const found = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: executed(issuer),
  })
  const metadata = found.serverMetadata()
  if (metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')) return found
  const basic = openid.ClientSecretBasic(clientSecret)
  const configuration = new openid.Configuration(metadata, clientId, clientSecret, basic)
  configuration.timeout = TIMEOUT_SECONDS
  for (const set of executed(issuer)) set(configuration)
  return configuration
}

/** ID tokens are held against the issuer's keys, however they came; plain http is for this machine alone. */
function executed(issuer: string): ((configuration: openid.Configuration) => void)[] {
  const isPlain = new URL(issuer).protocol === 'http:'
  return [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])]
}
