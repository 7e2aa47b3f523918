import { pino } from 'pino'
import { connect } from '#server/database/connect.ts'
import { openEmbedded } from './open.ts'

/**
 * A minimal Milepost for tests that kill it: opens the database of a directory, prints "ready" and inserts rows, printing each
 * number once its insert was acknowledged.
 */
const [dataDir = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const lost = (error: unknown) => {
  throw error
}

const server = await openEmbedded({ dataDir, poolSize: 5, log, progress: () => undefined, lost })
const { pool } = connect(server.connection, log)
await pool.query('create table if not exists written (number integer primary key)')
const { rows } = await pool.query<{ next: number }>(
  'select coalesce(max(number), 0) + 1 as next from written',
)
process.stdout.write('ready\n')
for (let number = rows[0]?.next ?? 1; ; number++) {
  await pool.query('insert into written values ($1)', [number])
  process.stdout.write(`${number}\n`)
}
