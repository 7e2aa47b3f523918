import { z } from 'zod'
import { type Read, secret, whole } from '#server/platform/settings.ts'

/** How the metrics of a process are served. */
export type MetricsSettings = {
  /** A separate host and port; absent: none. */
  address: { host: string; port: number } | undefined
  /** The token that clients send to read `/metrics` of the public URL; absent: it is not served there. */
  token: string | undefined
}

/** The environment variables of metrics. */
export const metricsVariables = {
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_TOKEN: secret
    .regex(/^[\w.~+/=-]+$/, 'must consist of letters, digits and . _ ~ + / = -')
    .optional(),
}

/** Returns the metrics settings; undefined if none is set, so that nothing is measured. */
export function metricsOf(read: Read<typeof metricsVariables>): MetricsSettings | undefined {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = read
  if (port === undefined && token === undefined) return undefined
  return { address: port === undefined ? undefined : { host, port }, token }
}
