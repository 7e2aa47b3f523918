import { z } from 'zod'

/** An environment variable with a whole number within bounds. */
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(min, error).max(max, error))
}

/** One of a few words. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** A secret that is long enough. */
export const secret = z
  .string()
  .min(32, 'must have at least 32 characters; "openssl rand -base64 32" makes one')

/** The parsed values of variables with these schemas. */
type Read<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>

/** Timeouts for clients, in milliseconds. */
export type Timeouts = {
  /** To receive the headers of a request. */
  headers: number
  /** To receive a request with its body. */
  request: number
  /** Without traffic in either direction. */
  connection: number
}

/** The limits above which a process refuses requests. */
export type LoadLimits = {
  /** The maximum event loop delay, in milliseconds; 0 for no limit. */
  delay: number
  /** The maximum of queries that wait for a connection to the database. */
  waiting: number
}

export type LoadSettings = {
  timeouts: Timeouts
  loadLimits: LoadLimits
  /** How long a statement may run, and a transaction do nothing, in milliseconds. */
  databaseTimeouts: { statement: number; idle: number }
}

const seconds = () => whole(1, 3_600).transform((count) => count * 1000)

/** The environment variables of timeouts and load limits. */
export const loadVariables = {
  DATABASE_STATEMENT_TIMEOUT: seconds().default(15_000),
  DATABASE_IDLE_TIMEOUT: seconds().default(15_000),
  HEADERS_TIMEOUT: seconds().default(20_000),
  REQUEST_TIMEOUT: seconds().default(120_000),
  CONNECTION_TIMEOUT: seconds().default(120_000),
  OVERLOAD_DELAY: whole(0, 60_000).default(1000),
  OVERLOAD_WAITING: whole(1, 100_000).default(200),
}

export function loadOf(read: Read<typeof loadVariables>): LoadSettings {
  return {
    timeouts: {
      headers: read.HEADERS_TIMEOUT,
      request: read.REQUEST_TIMEOUT,
      connection: read.CONNECTION_TIMEOUT,
    },
    loadLimits: { delay: read.OVERLOAD_DELAY, waiting: read.OVERLOAD_WAITING },
    databaseTimeouts: { statement: read.DATABASE_STATEMENT_TIMEOUT, idle: read.DATABASE_IDLE_TIMEOUT },
  }
}

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
