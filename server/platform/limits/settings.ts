import { type Read, whole } from '#server/platform/settings.ts'

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
  /** The maximum number of queries that wait for a connection to the database. */
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
