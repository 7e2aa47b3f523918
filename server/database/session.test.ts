import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import { emptyDatabase } from './testing.ts'
import { onServer } from './testing-setup.ts'

test('values are read and written the same whatever the database has set', async () => {
  const database = await emptyDatabase()
  const set = {
    datestyle: 'German, DMY',
    intervalstyle: 'iso_8601',
    timezone: 'Asia/Kolkata',
    bytea_output: 'escape',
    extra_float_digits: '-3',
    default_transaction_isolation: 'serializable',
    lock_timeout: '1ms',
  }
  await onServer(database.config, async (client) => {
    for (const [name, value] of Object.entries(set))
      await client.query(`alter database ${client.database} set ${name} = '${value}'`)
  })
  const { pool, close } = connect(database.config, pino({ level: 'silent' }))
  const { rows } = await pool.query(
    `select $1::timestamptz as instant, $1::timestamptz::text as text, '2026-03-04'::date as day, '1 day'::interval::text as span,
      '\\x00ff'::bytea::text as bytes, 0.1::float8::text as number, current_setting('transaction_isolation') as isolation,
      current_setting('lock_timeout') as wait`,
    [new Date('2026-03-04T05:06:07.089Z')],
  )
  await close()
  await database.close()
  expect(rows).toEqual([
    {
      instant: new Date('2026-03-04T05:06:07.089Z'),
      text: '2026-03-04 05:06:07.089+00',
      day: '2026-03-04',
      span: '1 day',
      bytes: '\\x00ff',
      number: '0.1',
      isolation: 'read committed',
      wait: '0',
    },
  ])
})
