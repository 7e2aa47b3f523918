import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { overloaded } from '#server/platform/errors.ts'
import type { LoadLimits } from './settings.ts'

/** What a pool of connections says of itself. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses, at once and with a time to come back, what this process could not do in time. */
export type DemandRoom = () => Promise<void>

/** Watches the event loop and the pool. */
export async function watchLoad(
  app: FastifyInstance,
  limits: LoadLimits,
  pool: PoolCounts,
): Promise<DemandRoom> {
  // Its own hook would come before those that set headers, and would refuse those who ask after our health.
  await app.register(underPressure, { maxEventLoopDelay: limits.delay, pressureHandler: () => undefined })
  return async () => {
    if (app.isUnderPressure() || pool.waitingCount >= limits.waiting) throw overloaded()
  }
}
