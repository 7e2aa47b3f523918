import { findPgbench, pgbench } from './pgbench.ts'
import { portOf, repeatEach } from './requests.ts'
import { alternate, figureOf } from './rounds.ts'
import type { Row } from './row.ts'
import { statementsOf } from './statements.ts'
import { someEntries, type Writer, writer } from './writer.ts'

const WRITERS = 8
const SAVES = 400

/** New entries from eight connections at once, each into a project of its own: those of one project take turns. */
export const save: Row = {
  name: 'save',
  what: 'save of an entry, 8 writers: throughput ÷ pgbench with the same statements',
  aim: { atLeast: 0.5 },
  async measure(stage) {
    const program = await findPgbench()
    const databaseUrl = await stage.database()
    const server = await stage.server({ DATABASE_URL: databaseUrl })
    const writers: Writer[] = []
    for (let one = 0; one < WRITERS; one += 1) writers.push(await writer(server.url, 1, writers[0]?.person))

    const body = JSON.stringify(someEntries(1)[0])
    const requests = writers.map(({ milestoneId, headers }) => ({
      port: portOf(server.url),
      path: `/api/milestones/${milestoneId}/entries`,
      headers,
      body,
    }))
    const [first] = requests
    if (!first) throw new Error('nobody writes')
    const statements = await statementsOf(stage, databaseUrl, ({ url }) =>
      repeatEach([{ ...first, port: portOf(url) }], 1, 201),
    )
    const yardstick = await pgbench(stage, { program, databaseUrl, statements, writers, saves: SAVES })

    const ours = async () => {
      const start = performance.now()
      await repeatEach(requests, SAVES, 201)
      return (SAVES / (performance.now() - start)) * 1000
    }
    const rounds = await alternate(ours, yardstick)
    return figureOf(
      rounds,
      ({ ours, yardstick }) => ours / yardstick,
      (rate) => `${rate.toFixed(0)} /s`,
    )
  },
}
