import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection } from '#server/database/connect.ts'
import { testDatabase } from '#server/database/testing.ts'

let database: Connection
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by name`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** Returns the columns of entries that another table lacks. */
async function missingIn(table: string): Promise<string[]> {
  const present = new Set(await columnsOf(table))
  return (await columnsOf('entries')).filter((name) => !present.has(name))
}

const DERIVED = ['changes', 'first_picture_id', 'history_bytes', 'published_at', 'title_key']
const AUTHOR = ['author_id', 'author_name']
const TRASH = ['deleted_at', 'deleted_by', 'deletion_id']

// The author's input is also stored in the history and in autosaved drafts: add a new column to both tables, or to these
// lists.
it('a revision has every column of an entry that is a part of its text', async () => {
  expect(await missingIn('entry_revisions')).toEqual(
    [...DERIVED, ...AUTHOR, ...TRASH, 'milestone_id', 'updated_at'].toSorted(),
  )
})

it('an autosaved draft has every column of an entry that is a part of its text', async () => {
  expect(await missingIn('entry_drafts')).toEqual(
    // `cover_choice` holds what `no_cover` says of an entry.
    [...DERIVED, ...AUTHOR, ...TRASH, 'no_cover', 'state'].toSorted(),
  )
})
