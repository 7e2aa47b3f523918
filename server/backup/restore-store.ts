import type { ClientBase } from 'pg'
import type { Table } from './store.ts'
import { FUNCTIONS, MIGRATION_TABLES, PEOPLE, quoted, SCHEMAS, TABLES, UNLOGGED_TABLES } from './tables.ts'

/** The maximum wait for a table that another connection uses. */
const LOCK_TIMEOUT = '10s'

/** Returns whether any table of people has rows. None can be inserted before the transaction ends. */
export async function hasPeople(client: ClientBase): Promise<boolean> {
  for (const table of await present(client, PEOPLE)) {
    await client.query(`lock table ${quoted(table)} in access exclusive mode`)
    const { rows } = await client.query<{ any: boolean }>(
      `select exists (select from ${quoted(table)}) as any`,
    )
    if (rows[0]?.any) return true
  }
  return false
}

/**
 * Counts the connections of other Milepost processes to this database, except the one by which this process owns an
 * embedded database.
 */
export async function countOtherConnections(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    `select count(*)::int as total from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'milepost%' and application_name <> 'milepost owner'`,
  )
  return rows[0]?.total ?? 0
}

/** Drops everything that the migrations created. */
export async function dropEverything(client: ClientBase): Promise<void> {
  for (const table of [...TABLES, ...UNLOGGED_TABLES, ...MIGRATION_TABLES])
    await client.query(`drop table if exists ${quoted(table)} cascade`)
  for (const schema of SCHEMAS) await client.query(`drop schema if exists ${schema} cascade`)
  for (const name of FUNCTIONS) await client.query(`drop function if exists ${name} cascade`)
}

/**
 * Truncates Milepost's tables before the copy, and disables their triggers. Drops indexes, which are faster to build at the
 * end than row by row, and returns their definitions.
 */
export async function truncateTables(client: ClientBase): Promise<string[]> {
  const tables = await present(client, [...TABLES, ...UNLOGGED_TABLES])
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  await setTriggers(client, 'disable')
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index i where indrelid = any ($1::text[]::regclass[]) and not indisunique
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [tables.map(quoted)],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/**
 * Recreates the indexes and enables the triggers. Updates columns that copy another table's computed column, because the two
 * database servers may fold letters differently.
 */
export async function restoreIndexesAndTriggers(client: ClientBase, indexes: string[]): Promise<void> {
  if ((await present(client, ['entry_tags'])).length > 0)
    await client.query(
      `update entry_tags t set title_key = e.title_key from entries e
       where e.id = t.entry_id and t.title_key <> e.title_key`,
    )
  await setTriggers(client, 'enable')
  for (const definition of indexes) await client.query(definition)
}

async function setTriggers(client: ClientBase, state: 'enable' | 'disable') {
  for (const table of await present(client, TABLES))
    await client.query(`alter table ${quoted(table)} ${state} trigger user`)
}

/** Returns the columns of an archived table that the database lacks; all of them if it lacks the table. */
export async function missingColumns(client: ClientBase, { name, columns }: Table): Promise<string[]> {
  const { rows } = await client.query<{ missing: string }>(
    `select missing from unnest($1::text[]) as missing where not exists (
       select from pg_attribute a where a.attrelid = to_regclass($2) and a.attname = missing
         and not a.attisdropped and a.attgenerated = '')`,
    [columns, quoted(name)],
  )
  return rows.map(({ missing }) => missing)
}

async function present(client: ClientBase, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[], $2::text[]) as t (name, quoted) where to_regclass(quoted) is not null`,
    [tables, tables.map(quoted)],
  )
  return rows.map(({ name }) => name)
}
