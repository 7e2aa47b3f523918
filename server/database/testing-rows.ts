import type { ClientConfig } from 'pg'
import { onServer } from './testing-setup.ts'

/** The rows of each table, each as JSON, in an order that depends on them alone. */
export type Rows = Record<string, Record<string, unknown>[]>

/** All rows of all tables but those of the jobs and the migrations' own record. */
export async function allRows(config: ClientConfig): Promise<Rows> {
  return onServer(config, async (client) => {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select schemaname as schema, tablename as name from pg_tables
       where schemaname in ('public', 'identity') and tablename not like 'kysely_migration%' order by 1, 2`,
    )
    const all: Rows = {}
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${schema}."${name}" t order by to_jsonb(t)::text collate "C"`,
      )
      all[schema === 'public' ? name : `${schema}.${name}`] = rows.map(({ row }) => row)
    }
    return all
  })
}
