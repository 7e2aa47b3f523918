import { z } from 'zod'
import { secret, whole } from '#server/platform/variables.ts'

/** Where the figures of a process are shown. */
export type MetricsSettings = {
  /** An address of their own; absent: none. */
  address: { host: string; port: number } | undefined
  /** Who has it reads them at `/metrics` of the public address; absent: nobody does. */
  token: string | undefined
}

/** The variables by which an operator lets Prometheus read. */
export const metricsVariables = {
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_TOKEN: secret.regex(/^[\w.~+/=-]+$/, 'must consist of emails, digits and . _ ~ + / = -').optional(),
}

const variables = z.object(metricsVariables)

/** Undefined where nothing is set: then nothing is measured. */
export function metricsOf(read: z.output<typeof variables>): MetricsSettings | undefined {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token } = read
  if (port === undefined && token === undefined) return undefined
  return { address: port === undefined ? undefined : { host, port }, token }
}
