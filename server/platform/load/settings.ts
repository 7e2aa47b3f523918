import { z } from 'zod'
import { whole } from '#server/platform/variables.ts'

/** How long a client may take, in milliseconds. */
export type Timeouts = {
  /** Until the headers of a request are there. */
  headers: number
  /** Until a request is there with its body. */
  request: number
  /** Without a byte in either direction. */
  connection: number
}

/** From when on a process refuses work that it could not do in time. */
export type LoadLimits = {
  /** How late the event loop may be, in milliseconds; 0 for no limit. */
  delay: number
  /** How many pieces of work may wait for a connection to the database. */
  waiting: number
}

export type LoadSettings = {
  timeouts: Timeouts
  loadLimits: LoadLimits
  /** How long a statement may run, and a transaction do nothing, in milliseconds. */
  databaseTimeouts: { statement: number; idle: number }
}

const seconds = () => whole(1, 3_600).transform((count) => count * 1000)

/** The variables by which an operator bounds what may take long. */
export const loadVariables = {
  DATABASE_STATEMENT_TIMEOUT: seconds().default(15_000),
  DATABASE_IDLE_TIMEOUT: seconds().default(15_000),
  HEADERS_TIMEOUT: seconds().default(20_000),
  REQUEST_TIMEOUT: seconds().default(120_000),
  CONNECTION_TIMEOUT: seconds().default(120_000),
  OVERLOAD_DELAY: whole(0, 60_000).default(1000),
  OVERLOAD_WAITING: whole(1, 100_000).default(200),
}

const variables = z.object(loadVariables)

export function loadOf(read: z.output<typeof variables>): LoadSettings {
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
