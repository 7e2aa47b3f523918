import { execFile } from 'node:child_process'
import { access, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { Missing } from './row.ts'
import type { Stage } from './stage.ts'
import type { Statement } from './statements.ts'
import type { Writer } from './writer.ts'

const DEBIAN = '/usr/lib/postgresql'
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

type Work = {
  program: string
  databaseUrl: string
  statements: Statement[]
  writers: Writer[]
  saves: number
}

/** Has pgbench do the same work, with as many clients as there are writers; each run answers saves a second. */
export async function pgbench(stage: Stage, { program, databaseUrl, statements, writers, saves }: Work) {
  const script = path.join(await stage.folder(), 'save.sql')
  await writeFile(script, statements.map((statement) => `${filledIn(statement, writers)};\n`).join(''))
  const clients = writers.length
  const args = ['--no-vacuum', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-t', `${saves / clients}`]
  return async () => {
    const { stdout } = await promisify(execFile)(program, [...args, '-f', script, databaseUrl])
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    if (!(rate > 0)) throw new Error(`pgbench said: ${stdout}`)
    return rate
  }
}

/** Its parameters as the values that were recorded, but each client's own milestone, a new id and the time of the run. */
function filledIn({ text, values }: Statement, writers: Writer[]): string {
  const insertsEntry = text.startsWith('insert into "entries"')
  const literal = (value: unknown) => {
    if (value === null || value === undefined) return 'null'
    if (Array.isArray(value))
      return Client.prototype.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`)
    if (typeof value !== 'string') return JSON.stringify(value)
    if (value === writers[0]?.milestoneId) return ownOf(writers.map(({ milestoneId }) => milestoneId))
    if (value === writers[0]?.projectId) return ownOf(writers.map(({ projectId }) => projectId))
    if (ID.test(value) && insertsEntry) return 'gen_random_uuid()'
    return MOMENT.test(value) ? 'now()' : Client.prototype.escapeLiteral(value)
  }
  return text.replaceAll(/\$(\d+)/g, (_match, place: string) => literal(values[Number(place) - 1]))
}

const ownOf = (ids: string[]) => `(array['${ids.join("', '")}']::uuid[])[:client_id + 1]`

/** Where pgbench is. Throws Missing. */
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
