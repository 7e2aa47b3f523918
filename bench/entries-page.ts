import { fork } from 'node:child_process'
import { once } from 'node:events'
import { portOf, repeat } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds, type Row } from './row.ts'
import { statementsOf } from './statements.ts'
import { writer } from './workload.ts'

const REQUESTS = 600
const ENTRIES = 20

/** A page of a milestone's entries: a page of size 24 with 20 entries. */
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
    return figureOf(rounds, ({ ours, yardstick }) => yardstick / ours, milliseconds)
  },
}
