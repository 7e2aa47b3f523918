import type { PagesMode } from './pages/headers.ts'
import type { PoolCounts } from './platform/limits/overload.ts'
import type { LoadLimits, Timeouts } from './platform/limits/settings.ts'
import type { Metrics } from './platform/metrics/metrics.ts'

/** The options of the HTTP application. */
export type AppOptions = {
  publicUrl: string
  /** Whether forwarded IP addresses are trusted, and from which proxies. */
  trustProxy: boolean | string | string[]
  rateLimit: boolean
  /** Whether the entry editor shows its image section. */
  entryImages: boolean
  /** The maximum number of database connections of this process. */
  databasePoolSize: number
  /** Defaults to two seconds. */
  searchTimeoutMs?: number
  /** The maximum number of event streams of this process. */
  eventStreamsMax: number
  /** If absent, there are no timeouts for slow clients. */
  timeouts?: Timeouts
  /** If absent, no requests are refused because of overload. */
  load?: { limits: LoadLimits; pool: PoolCounts }
  /** If absent, there are no metrics. */
  metrics?: { figures: Metrics; token: string | undefined } | undefined
  /** `none` omits the pages, for tests of the API. */
  pages: PagesMode | 'none'
}

/** For tests and scripts that call the API in process: no pages, no rate limits, no load limits. */
export const inProcessOptions: AppOptions = {
  publicUrl: 'http://localhost:3000',
  trustProxy: false,
  rateLimit: false,
  entryImages: false,
  databasePoolSize: 10,
  eventStreamsMax: 100,
  pages: 'none',
}
