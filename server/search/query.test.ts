import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection } from '#server/database/connect.ts'
import { testDatabase } from '#server/database/testing.ts'
import { compileSearch, widened } from './query.ts'

let database: Connection
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Letters, marks without a letter, digits and signs of the scripts whose words are split by rules of their own. */
const pieces = Array.from('aé1٣京都ーあカกุ학에은ँन् \'",.-–×+#:&|!()<*\\@_/\u200D🙂').concat(
  'म्',
  'in:',
  'tag:',
  '-"',
  'a-',
)
const typed = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((all) => all.join(''))

it('whatever is typed is a query that the database can read, also in its other forms', async () => {
  const isReadable = async (text: string) => {
    const query = compileSearch(text)
    const queries = [query.tsquery, widened(query, ({ text }) => [text, `${text}'`]), query.without.tsquery]
    const { rowCount } = await database.pool.query('select unnest($1::tsquery[])', [queries])
    expect(rowCount).toBe(3)
  }
  await fc.assert(fc.asyncProperty(typed, isReadable), { numRuns: 300 })
})
