import { Client } from 'pg'
import { type Account, createAccount } from '#testing/account.ts'
import type { RunningServer } from '#testing/start-server.ts'
import { type Cost, costOfBoth } from './costs.ts'
import { fillByCopy, fillLarge, type Size } from './growth-fill.ts'
import { portOf, type Request, repeat, repeatEach } from './requests.ts'
import { alternate, type Figure, figureOf, type Row, spread } from './row.ts'
import type { Stage } from './stage.ts'
import { ENTRIES, publish, visitTo, type Writer, writer } from './workload.ts'

const LARGE: Size = { accounts: 100_000, projects: 50_000, milestones: 4, entries: 5 }
const SMALL: Size = { accounts: 100, projects: 50, milestones: 4, entries: 5 }
/** A fraction of the large size, to try the rows out. */
const SHARE = Number(process.env.BENCH_GROWTH ?? 1)

/** A server on a database of one size, with its own project to work with. */
type Side = {
  server: RunningServer
  database: Client
  writer: Writer
  account: Account
  /** The time to fill the database with other people's data, in milliseconds. */
  filledIn: number
}

/** Both sizes, filled once for all rows of a run. */
type Sides = { large: Side; small: Side }

const prepared = new WeakMap<Stage, Promise<Sides>>()

function sidesOn(shared: Stage): Promise<Sides> {
  const sides = prepared.get(shared) ?? prepare(shared)
  prepared.set(shared, sides)
  return sides
}

async function prepare(shared: Stage): Promise<Sides> {
  const small = await openSide(shared, await shared.database())
  await fillByCopy(small.database, SMALL)
  // BENCH_GROWN keeps the database between runs, because filling takes longer than measuring.
  const large = await openSide(shared, process.env.BENCH_GROWN ?? (await shared.database()))
  const start = performance.now()
  const [projects, accounts] = [LARGE.projects * SHARE, LARGE.accounts * SHARE]
  await fillLarge(large.database, { ...LARGE, projects, accounts }, small.database)
  const filledIn = performance.now() - start
  return { large: { ...(await settle(large)), filledIn }, small: { ...(await settle(small)), filledIn: 0 } }
}

type Opened = Pick<Side, 'server' | 'database'>

async function openSide(shared: Stage, databaseUrl: string): Promise<Opened> {
  const server = await shared.server({ DATABASE_URL: databaseUrl })
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  shared.ends(() => database.end())
  return { server, database }
}

async function settle({ server, database }: Opened) {
  await database.query('vacuum (analyze)')
  const account = await createAccount(server.url)
  const made = await writer(server.url, ENTRIES, account)
  await publish(made)
  return { server, database, writer: made, account }
}

const inAll = ({ server, database }: Cost) => server + database

/** A row that compares the cost of the same request in the large and in the small database. */
function growthRow(
  name: string,
  what: string,
  count: number,
  work: (side: Side) => Promise<() => Promise<unknown>>,
): Row {
  return {
    name: `growth-${name}`,
    what: `${what} among 1,000,000 entries ÷ among 1,000 (processor time of both)`,
    isLong: true,
    async measure(_stage, shared) {
      const { large, small } = await sidesOn(shared)
      const works = { large: await work(large), small: await work(small) }
      const seen = { large: [] as Cost[], small: [] as Cost[] }
      const measure = async (size: 'large' | 'small', side: Side) => {
        const cost = await costOfBoth(side, count, works[size])
        seen[size].push(cost)
        return inAll(cost)
      }
      const rounds = await alternate(
        () => measure('large', large),
        () => measure('small', small),
      )
      const figure = figureOf(rounds, ({ ours, baseline }) => ours / baseline, String)
      return { ...figure, ours: parts(seen.large), baseline: parts(seen.small) }
    },
  }
}

/** Returns the medians of the server's and of PostgreSQL's part, without the first round, which warms up. */
function parts(costs: Cost[]): string {
  const median = (part: keyof Cost) =>
    (spread(costs.slice(1).map((cost) => cost[part])).median / 1_000).toFixed(2)
  return `${median('server')} + ${median('database')} ms`
}

const COUNT = 120
/** The number of repetitions of slower requests. */
const FEWER = 40

const requestTo = ({ server, writer }: Side, path: string): Request => ({
  port: portOf(server.url),
  path,
  headers: writer.headers,
})

const reading = (name: string, what: string, path: (side: Side) => string) =>
  growthRow(name, what, COUNT, async (side) => {
    const request = requestTo(side, path(side))
    return () => repeat(request, COUNT, 200)
  })

const openMilestone = reading(
  'milestone',
  'a page of entries, signed in,',
  ({ writer }) => `/api/milestones/${writer.milestoneId}/entries?page=1&limit=24`,
)

const dashboard = reading('dashboard', "an account's projects", () => '/api/projects')

/** Sequential, because more than a few concurrent searches of one person are refused. */
const search = growthRow('search', 'searching a milestone', COUNT, async (side) => {
  const path = `/api/milestones/${side.writer.milestoneId}/entries?page=1&limit=12&search=varnish`
  return () => repeatEach([requestTo(side, path)], COUNT, 200)
})

const publicPage = growthRow('public-page', 'an uncached public page', FEWER, async (side) => {
  const visit = visitTo(side.server, side.writer)
  return async () => {
    for (let count = 0; count < FEWER; count += 1) {
      await side.database.query('update projects set revision = revision + 1 where id = $1', [
        side.writer.projectId,
      ])
      await repeat(visit, 1, 200)
    }
  }
})

const save = growthRow('save', 'a new entry', FEWER, async ({ account, writer: { milestoneId } }) => {
  const body = { title: 'Varnish', content: 'The third coat of varnish, and the last.', tags: ['finish'] }
  return async () => {
    for (let count = 0; count < FEWER; count += 1)
      await account.call('createEntry', { params: { milestoneId }, body })
  }
})

/** Statistics count whole tables, and are therefore cached for ten seconds. Measures the wall time of the statement itself. */
const statistics: Row = {
  name: 'growth-statistics',
  what: 'counting everything for the landing page, at most every ten seconds: 1,000,000 entries ÷ 1,000 (wall time)',
  isLong: true,
  async measure(_stage, shared) {
    const { large, small } = await sidesOn(shared)
    const count =
      ({ database }: Side) =>
      async () => {
        const start = performance.now()
        await database.query(
          `select (select count(*) from live_projects), (select count(*) from live_milestones), (select count(*) from live_entries)`,
        )
        return (performance.now() - start) * 1_000
      }
    const rounds = await alternate(count(large), count(small))
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, inMilliseconds)
  },
}

const inMilliseconds = (microseconds: number) => `${(microseconds / 1_000).toFixed(1)} ms`

/** A number of megabytes or seconds without a baseline. */
const single = (value: number, ours: string): Figure => ({
  value,
  low: value,
  high: value,
  ours,
  baseline: '',
})

const LARGEST = 12

const sizes: Row = {
  name: 'growth-size',
  what: 'the database of 1,000,000 entries: its tables with TOAST + their indexes; the largest are listed',
  unit: ' MB',
  isLong: true,
  async measure(_stage, shared) {
    const { database, filledIn } = (await sidesOn(shared)).large
    const { rows } = await database.query<{ name: string; of: string; bytes: string }>(
      `select c.relname as name, case c.relkind when 'i' then 'index' else 'table' end as of,
              case c.relkind when 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end as bytes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'identity') and c.relkind in ('r', 'i')
        order by bytes desc`,
    )
    const megabytes = (kind: string) =>
      rows.filter(({ of }) => of === kind).reduce((sum, { bytes }) => sum + Number(bytes) / 1e6, 0)
    for (const { name, of, bytes } of rows.slice(0, LARGEST))
      console.error(`  ${of} ${name}: ${(Number(bytes) / 1e6).toFixed(0)} MB`)
    console.error(`  filled in ${(filledIn / 1_000).toFixed(0)} s`)
    const [tables, indexes] = [megabytes('table'), megabytes('index')]
    return single(tables + indexes, `${tables.toFixed(0)} + ${indexes.toFixed(0)} MB`)
  },
}

const CHANGED_SHARE = 0.2

const vacuum: Row = {
  name: 'growth-vacuum',
  what: 'vacuum of the entries after a fifth of 1,000,000 was changed, as autovacuum does it by default (wall time)',
  unit: ' s',
  isLong: true,
  async measure(_stage, shared) {
    const { database } = (await sidesOn(shared)).large
    await database.query(
      'update entries set updated_at = updated_at where id in (select id from entries tablesample system ($1))',
      [CHANGED_SHARE * 100],
    )
    const start = performance.now()
    await database.query('vacuum (analyze) entries')
    const seconds = (performance.now() - start) / 1_000
    return single(seconds, `${seconds.toFixed(1)} s`)
  },
}

/** Rows that show which costs grow with the number of entries, projects and accounts, and which do not (docs/scale.md). */
export const growthRows: Row[] = [
  sizes,
  openMilestone,
  dashboard,
  search,
  publicPage,
  save,
  statistics,
  vacuum,
]
