import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection } from './connect.ts'
import { shownByLink } from './shown-by-link.ts'
import { shownToMembers } from './shown-to-members.ts'
import { testDatabase } from './testing.ts'

let database: Connection
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const NOBODY = '0199f1f0-0000-7000-8000-000000000000'

type View = 'live_entries' | 'live_milestones' | 'public_projects'

/** Returns the columns of a view, within what shadows it or as it is. */
async function columnsOf(view: View, shadow = sql``): Promise<string[]> {
  const query = sql`${shadow} select * from ${sql.table(view)}`.compile(database.db)
  const { fields } = await database.pool.query(query.sql, [...query.parameters])
  return fields.map(({ name }) => name)
}

async function missingIn(
  view: View,
  shadow: typeof shownByLink extends (...args: never[]) => infer Part ? Part : never,
) {
  const present = new Set(await columnsOf(view, sql`with ${shadow}`))
  return (await columnsOf(view)).filter((name) => !present.has(name))
}

// Statements of public pages run on the shadows too: add a new column to them, or to these lists if no page shows it.
it('what a share link shows has every column of the views that it narrows', async () => {
  const shadow = shownByLink(NOBODY)
  expect(await missingIn('live_entries', shadow)).toEqual([])
  expect(await missingIn('live_milestones', shadow)).toEqual(['text_bytes'])
  expect(await missingIn('public_projects', shadow)).toEqual([])
})

it('what members read as the public page has every column of the view of public projects', async () => {
  expect(await missingIn('public_projects', shownToMembers(NOBODY))).toEqual([])
})
