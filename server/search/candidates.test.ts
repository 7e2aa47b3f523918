import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type Candidates, findCandidates } from './candidates-store.ts'
import { compileSearch } from './query.ts'

const THINGS = 3_000
/** Nearly everything has both words, and one old thing has them in this order. */
const PHRASE = 2_500

let t: TestApp
let projectId: string
beforeAll(async () => {
  t = await testApp()
  const owner = await t.person()
  projectId = (await t.project(owner))._id
  await fill(projectId)
  await fill((await t.project(owner))._id)
})
afterAll(() => t.close())

/** Stores things from day to day, the newest first; the id of each ends with its number. */
const fill = (project: string) =>
  t.pool.query(
    `insert into search_documents (id, kind, project_id, is_draft, happened_at, happened_on, tags, has, folded, words, heads)
     select overlay(gen_random_uuid()::text placing lpad(i::text, 12, '0') from 25)::uuid, 'entry', $1, false,
       timestamptz '2020-01-01' - i * interval '1 day', date '2020-01-01' - i, '{}', '{}',
       case when i = ${PHRASE} then 'salt pepper' else 'salt or pepper' end,
       (case when i = ${PHRASE} then '''salt'':1 ''pepper'':2' else '''salt'':1 ''pepper'':3' end
         || case when i = 2900 then ' ''okapi'':4' else '' end
         || case when i % 30 = 0 then ' ''gourd'':5' else '' end)::tsvector, ''
     from generate_series(1, ${THINGS}) i`,
    [project],
  )

async function found(q: string, ofMost: number | null): Promise<number[]> {
  const { tsquery, phrases, without } = compileSearch(`${q} `)
  const wanted: Candidates = {
    reader: null,
    projectIds: [projectId],
    ofMost,
    tsquery,
    close: null,
    phrases,
    parts: [],
    kinds: null,
    tags: [],
    writers: null,
    before: null,
    after: null,
    has: [],
    isDraft: null,
    offset: 0,
    limit: 20,
    without: { ...without, tags: [], writers: [], has: [] },
  }
  return (await findCandidates(t.deps.db, wanted)).map(({ id }) => Number(id.slice(-12)))
}

const newest = (every: number) => Array.from({ length: 20 }, (_, index) => (index + 1) * every)

it.each([
  ['salt', newest(1)],
  ['gourd', newest(30)],
  ['okapi', [2900]],
  ['salt okapi', [2900]],
  ['okapi -gourd', [2900]],
  ['"salt pepper"', [PHRASE]],
  ['"pepper salt"', []],
])(
  '%s finds the same for somebody who sees most things as for others, and nothing of other projects',
  async (q, expected) => {
    expect(await found(q, null)).toEqual(expected)
    for (const documents of [THINGS, 1_000_000]) expect(await found(q, documents)).toEqual(expected)
  },
)
