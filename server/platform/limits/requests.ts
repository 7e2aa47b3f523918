import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/network.ts'
import { RequestCounts } from './request-counts.ts'

/**
 * Requests a minute from one network: far above a person with many tabs, and enough for an office, or for the readers of
 * a small site behind a proxy that is not trusted; far below a flood.
 */
export const REQUESTS_PER_MINUTE = 1_200

/** Limits, in this process, how often one network uses the routes of a scope that are added after this. */
export async function limitRequests(scope: FastifyInstance): Promise<void> {
  await scope.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: '1 minute',
    store: RequestCounts,
    keyGenerator: ({ ip }) => networkOf(ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
        retryAfter: ttl / 1000,
      }),
  })
}
