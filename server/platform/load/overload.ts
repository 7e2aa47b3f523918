import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoadLimits } from './settings.ts'

/** What a pool of connections says of itself. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses, at once and with a time to come back, what this process could not or need not do. */
export type Admit = (request: FastifyRequest) => Promise<void>

/** Watches the event loop and the pool. What it answers tells whether they can do more. */
export async function watchLoad(
  app: FastifyInstance,
  limits: LoadLimits,
  pool: PoolCounts,
): Promise<() => boolean> {
  // Its own hook would come before those that set headers, and would refuse those who ask after our health.
  await app.register(underPressure, { maxEventLoopDelay: limits.delay, pressureHandler: () => undefined })
  return () => !app.isUnderPressure() && pool.waitingCount < limits.waiting
}
