import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import { pino } from 'pino'
import { fill } from '#scripts/demo/fill.ts'
import { connect } from '#server/database/connect.ts'
import { portOf, repeat } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { statementsOf } from './statements.ts'
import { publicPage, writer } from './workload.ts'

const REQUESTS = 600
const ENTRIES = 20

/** A page of a milestone's entries: page size 24, with 20 entries. */
export const entriesPage: Row = {
  name: 'entries-page',
  what: 'entries page of 20, signed in: bare Fastify + pg, same SQL and JSON ÷ ours',
  aim: { atLeast: 0.6 },
  async measure(stage) {
    const databaseUrl = await stage.database()
    const server = await stage.server({ DATABASE_URL: databaseUrl })
    const { headers, milestoneId } = await writer(server.url, ENTRIES)
    const path = `/api/milestones/${milestoneId}/entries?page=1&limit=24`
    const statements = await statementsOf(stage, databaseUrl, ({ url }) =>
      repeat({ port: portOf(url), path, headers }, 1, 200),
    )

    const bare = fork(new URL('bare-fastify.ts', import.meta.url))
    stage.ends(async () => bare.kill())
    bare.send({ databaseUrl, statements })
    const [port] = (await once(bare, 'message')) as [number]

    const request = { port: portOf(server.url), path, headers }
    const rounds = await alternate(
      () => costOfEach(server.pid, REQUESTS, () => repeat(request, REQUESTS, 200)),
      () => costOfEach(bare.pid ?? 0, REQUESTS, () => repeat({ ...request, port }, REQUESTS, 200)),
    )
    return figureOf(rounds, ({ ours, baseline }) => baseline / ours, milliseconds)
  },
}

const OPENINGS = 60

/** The time to open the same milestone, by its owner and by a visitor, in databases of two sizes. */
export const largeDatabase: Row = {
  name: 'large-database',
  what: 'opening a milestone and its public page among 100,000 entries ÷ among 1,000',
  aim: { atMost: 1.1 },
  async measure(stage) {
    const small = await opening(stage, { projects: 10, milestones: 10, entries: 10 })
    const large = await opening(stage, { projects: 200, milestones: 25, entries: 20 })
    const rounds = await alternate(large, small)
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}

type Sizes = { projects: number; milestones: number; entries: number }

/** Returns a function that measures the median time of opening the milestone, in microseconds; the visitor's page is never cached. */
async function opening(stage: Stage, sizes: Sizes): Promise<() => Promise<number>> {
  const { server, databaseUrl, writer, request } = await publicPage(stage)
  await surround(databaseUrl, writer.projectId, sizes)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  stage.ends(() => database.end())
  const milestone = {
    port: portOf(server.url),
    path: `/api/milestones/${writer.milestoneId}/entries?page=1&limit=12`,
    headers: writer.headers,
  }
  return async () => {
    const times: number[] = []
    for (let count = 0; count < OPENINGS; count += 1) {
      await database.query('update projects set revision = revision + 1 where id = $1', [writer.projectId])
      const start = performance.now()
      await repeat(milestone, 1, 200)
      await repeat(request, 1, 200)
      times.push(performance.now() - start)
    }
    return (times.toSorted((a, b) => a - b)[OPENINGS / 2] ?? Number.NaN) * 1_000
  }
}

/** Fills the database with other projects of the same owner. */
async function surround(databaseUrl: string, projectId: string, sizes: Sizes): Promise<void> {
  const { db, close } = connect({ connectionString: databaseUrl }, pino({ level: 'silent' }))
  try {
    const { owner_id: owner } = await db
      .selectFrom('projects')
      .select('owner_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    await fill(db, owner, { ...sizes, seed: 1 })
  } finally {
    await close()
  }
}
