import { Client } from 'pg'
import { portOf, repeat } from './requests.ts'
import { alternate, figureOf, milliseconds, type Row } from './row.ts'
import { findPgbench, pgbench } from './save.ts'
import type { Stage } from './stage.ts'
import { statementsOf } from './statements.ts'
import { someEntries, type Writer, writer } from './workload.ts'

const OPENINGS = 60
const FEW = 10
const MANY = 10_000
const SAVES = 400

/** The time to open the history of an entry. */
export const historyPage: Row = {
  name: 'history-page',
  what: 'opening the history of an entry with 10,000 versions ÷ with ten',
  aim: { atMost: 1.5 },
  async measure(stage) {
    const databaseUrl = await stage.database()
    const server = await stage.server({ DATABASE_URL: databaseUrl })
    const made = await writer(server.url, 0)
    const opening = async (count: number) => {
      const entryId = await entryOf(made)
      await addRevisions(stage, databaseUrl, entryId, count)
      const path = `/api/milestones/${made.milestoneId}/entries/${entryId}/revisions`
      const request = { port: portOf(server.url), path, headers: made.headers }
      return async () => {
        const start = performance.now()
        await repeat(request, OPENINGS, 200)
        return ((performance.now() - start) / OPENINGS) * 1_000
      }
    }
    const rounds = await alternate(await opening(MANY), await opening(FEW))
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}

/** The work of the database for a save, with and without the statements of the history. */
export const historySave: Row = {
  name: 'history-save',
  what: 'save of a changed entry: its statements by pgbench ÷ the same without those of history',
  aim: { atMost: 1.2 },
  async measure(stage) {
    const program = await findPgbench()
    const databaseUrl = await stage.database()
    const server = await stage.server({ DATABASE_URL: databaseUrl })
    const made = await writer(server.url, 0)
    const entryId = await entryOf(made)
    let times = 0
    const statements = await statementsOf(stage, databaseUrl, async ({ url }) => {
      times += 1
      const content = `${someEntries(1)[0]?.content}\n\nSave ${times}`
      const response = await fetch(`${url}/api/milestones/${made.milestoneId}/entries/${entryId}`, {
        method: 'PUT',
        headers: { ...made.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ content }),
      })
      if (!response.ok) throw new Error(`a save was answered ${response.status}`)
    })
    const without = statements
      .filter(({ text }) => !text.includes('from "entry_revisions"'))
      .map((statement) => ({ ...statement, text: withoutParts(statement.text, HISTORY) }))
    const work = { program, databaseUrl, writers: [made], saves: SAVES }
    const rates = [
      await pgbench(stage, { ...work, statements }),
      await pgbench(stage, { ...work, statements: without }),
    ]
    const [ours = noRate, baseline = noRate] = rates.map((run) => async () => 1e6 / (await run()))
    const rounds = await alternate(ours, baseline)
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}

/** The parts of the statement of a save that write the history. */
const HISTORY = ['superseded', 'extended', 'revision']

/** Removes parts of a statement, ` "name" as (…),`, none of which contains quotes. */
function withoutParts(text: string, names: string[]): string {
  let left = text
  for (const name of names) {
    const start = left.indexOf(`"${name}" as (`)
    if (start === -1) continue
    let [end, depth] = [left.indexOf('(', start) + 1, 1]
    for (; depth > 0; end += 1) depth += left[end] === '(' ? 1 : left[end] === ')' ? -1 : 0
    left = left.slice(0, start) + left.slice(end).replace(/^\s*,\s*/, '')
  }
  return left
}

const noRate = async () => Number.NaN

async function entryOf({ account, milestoneId }: Writer): Promise<string> {
  const [body] = someEntries(1)
  if (!body) throw new Error('there is nothing to write')
  return (await account.call('createEntry', { params: { milestoneId }, body }))._id
}

/** Adds a number of earlier revisions of the same size to an entry. */
async function addRevisions(
  stage: Stage,
  databaseUrl: string,
  entryId: string,
  count: number,
): Promise<void> {
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  stage.ends(() => database.end())
  await database.query(
    `insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
       happened_zone, state, word_count, author_ids, author_names, cause, bytes, begun_at, created_at)
     select gen_random_uuid(), entry_id, n, n, title, content, tags, happened_at, happened_on, happened_zone, state,
       word_count, author_ids, author_names, cause, bytes, begun_at, created_at
     from entry_revisions, generate_series(2, $2::integer) n where entry_id = $1`,
    [entryId, count],
  )
  await database.query('update entries set version = $2 where id = $1', [entryId, count])
  await database.query('vacuum analyze entry_revisions')
}
