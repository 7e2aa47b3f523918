import { execFile } from 'node:child_process'
import { access, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { portOf, repeatEach } from './requests.ts'
import { alternate, figureOf, Missing, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { type Statement, statementsOf } from './statements.ts'
import { someEntries, type Writer, writer } from './workload.ts'

const WRITERS = 8
const SAVES = 400

/** Creates entries over eight connections, each in its own project, because writes to one project are serialized. */
export const save: Row = {
  name: 'save',
  what: 'save of an entry, 8 writers: throughput ÷ pgbench with the same statements',
  aim: { atLeast: 0.5 },
  async measure(stage) {
    const program = await findPgbench()
    const databaseUrl = await stage.database()
    const server = await stage.server({ DATABASE_URL: databaseUrl })
    const writers: Writer[] = []
    for (let one = 0; one < WRITERS; one += 1) writers.push(await writer(server.url, 1, writers[0]?.account))

    const body = JSON.stringify(someEntries(1)[0])
    const requests = writers.map(({ milestoneId, headers }) => ({
      port: portOf(server.url),
      path: `/api/milestones/${milestoneId}/entries`,
      headers,
      body,
    }))
    const [first] = requests
    if (!first) throw new Error('there is no writer')
    const statements = await statementsOf(stage, databaseUrl, ({ url }) =>
      repeatEach([{ ...first, port: portOf(url) }], 1, 201),
    )
    const baseline = await pgbench(stage, { program, databaseUrl, statements, writers, saves: SAVES })

    const ours = async () => {
      const start = performance.now()
      await repeatEach(requests, SAVES, 201)
      return (SAVES / (performance.now() - start)) * 1000
    }
    const rounds = await alternate(ours, baseline)
    return figureOf(
      rounds,
      ({ ours, baseline }) => ours / baseline,
      (rate) => `${rate.toFixed(0)} /s`,
    )
  },
}

const DEBIAN = '/usr/lib/postgresql'
/** More characters than the columns of a row have. */
const NEAR = 800
/** Quotes a text; pgbench would take a colon for the beginning of a variable. */
const quoted = (text: string) =>
  ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

type Work = {
  program: string
  databaseUrl: string
  statements: Statement[]
  writers: Writer[]
  saves: number
}

/** Prepares pgbench to run these statements, with as many clients as there are writers. Each run returns the saves per second. */
export async function pgbench(stage: Stage, { program, databaseUrl, statements, writers, saves }: Work) {
  const script = path.join(await stage.folder(), 'save.sql')
  const saved = statements.flatMap(newIdsOf)
  await writeFile(script, statements.map((statement) => `${filledIn(statement, writers, saved)};\n`).join(''))
  const clients = writers.length
  const args = ['--no-vacuum', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-t', `${saves / clients}`]
  return async () => {
    const { stdout } = await promisify(execFile)(program, [...args, '-f', script, databaseUrl])
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!(rate > 0)) throw new Error(`pgbench printed: ${stdout}`)
    return rate
  }
}

/** The parameters of the statement of a save that contain the id of a new row: what precedes them. */
const NEW_IDS = [
  /insert into "entries" \("id",[^()]*\) values \($/,
  /insert into entry_revisions \([^()]*\)\s+select $/,
  /insert into activity \([^()]*\)\s+select $/,
]

/** What precedes the parameter at this offset. */
const beforeAt = (text: string, at: number) => text.slice(Math.max(0, at - NEAR), at)
const isNewId = (before: string) => NEW_IDS.some((newId) => newId.test(before))

/** Returns the recorded ids of the rows that a statement adds. */
const newIdsOf = ({ text, values }: Statement) =>
  [...text.matchAll(/\$(\d+)/g)]
    .filter(({ index }) => isNewId(beforeAt(text, index)))
    .map(([, position]) => values[Number(position) - 1])
    .filter((value) => typeof value === 'string')

/** Replaces the parameters by the recorded values, except for each client's own milestone, new ids and the current time. */
function filledIn({ text, values }: Statement, writers: Writer[], newIds: string[]): string {
  const literal = (value: unknown, before: string) => {
    if (value !== null && isNewId(before)) return 'gen_random_uuid()'
    const saved = typeof value === 'string' ? newIds.find((newId) => value.includes(newId)) : undefined
    // A search document is inserted, too, and not only compared with the one that is there.
    if (saved !== undefined) return ` replace(${quoted(String(value))}, '${saved}', gen_random_uuid()::text)`
    if (value === null || value === undefined) return 'null'
    if (Array.isArray(value)) return quoted(`{${value.map((one) => JSON.stringify(one)).join(',')}}`)
    if (typeof value !== 'string') return JSON.stringify(value)
    if (value === writers[0]?.milestoneId) return ownOf(writers.map(({ milestoneId }) => milestoneId))
    if (value === writers[0]?.projectId) return ownOf(writers.map(({ projectId }) => projectId))
    return MOMENT.test(value) ? 'now()' : quoted(value)
  }
  return text.replaceAll(/\$(\d+)/g, (_match, position: string, at: number) =>
    literal(values[Number(position) - 1], beforeAt(text, at)),
  )
}

const ownOf = (ids: string[]) => `(array['${ids.join("', '")}']::uuid[])[:client_id + 1]`

/** Returns the path of pgbench. Throws Missing. */
export async function findPgbench(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const debian = versions.map((version) => path.join(DEBIAN, version, 'bin'))
  for (const folder of [...(process.env.PATH ?? '').split(path.delimiter), ...debian]) {
    const program = path.join(folder, 'pgbench')
    if (
      await access(program).then(
        () => true,
        () => false,
      )
    )
      return program
  }
  throw new Missing('pgbench was not found: install the postgresql of your system, which brings it.')
}
