import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { AppError } from '#server/platform/errors.ts'

const GOOGLE_KEYS = new URL(
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
)
const HOUR_MS = 60 * 60 * 1000
const COOLDOWN_MS = 30_000
const TIMEOUT_MS = 5_000
const RETRY_SECONDS = 5

/**
 * Google's public keys for the tokens of every Firebase project. They are kept for an hour; a token that names an
 * unknown one has them fetched anew, at most every half minute. Throws `unavailable` while they cannot be had.
 */
export function signingKeys(log: Logger, url: URL = GOOGLE_KEYS): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: HOUR_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (isFaultOfToken(error)) throw error
      log.warn({ err: error }, "Google's keys could not be fetched: nobody can sign in")
      throw new AppError('unavailable', 'Signing in is not possible right now. Please try again.', {
        retryAfter: RETRY_SECONDS,
      })
    }
  }
}

function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
