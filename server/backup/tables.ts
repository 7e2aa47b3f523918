import type { TableDecisions } from '#server/feature.ts'
import { features } from '#server/features.ts'

const tables = features.flatMap(({ tables = {} }) => Object.entries(tables))
const namesOf = (wanted: TableDecisions['backup']) =>
  tables.flatMap(([name, { backup }]) => (backup === wanted ? name : []))

/** Tables that a later migration dropped. Earlier databases and backups have them. */
export const DROPPED_TABLES = namesOf('dropped')
/** Functions that a later migration dropped. */
export const DROPPED_FUNCTIONS = features.flatMap(({ droppedFunctions = [] }) => droppedFunctions)

/** The tables that Milepost's migrations create, at any level. A backup contains their rows, and a restore clears them. */
export const TABLES = [...namesOf(undefined), ...DROPPED_TABLES]

/** Unlogged tables. Backups omit them because they are refilled within a minute. */
export const UNLOGGED_TABLES = namesOf('refill')

/** The tables in which migrations are recorded. A restore recreates them by migrating. */
export const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'] as const

export const SCHEMAS = ['identity'] as const

/** Functions outside these schemas, at any level. */
export const FUNCTIONS = [...features.flatMap(({ functions = [] }) => functions), ...DROPPED_FUNCTIONS]

/** The tables that have rows once there is an account. */
export const PEOPLE = ['users', 'identity.user'] as const

/** Quotes a table's name for SQL. */
export const quoted = (table: string) =>
  table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
