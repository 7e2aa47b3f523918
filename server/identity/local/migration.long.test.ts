import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connect } from '#server/database/connect.ts'
import { migrate } from '#server/database/migrate.ts'
import { emptyDatabase } from '#server/database/testing.ts'
import { onServer } from '#server/database/testing-setup.ts'
import { networkOf } from '#server/platform/network.ts'
import { testServer } from '#server/testing/local-server.ts'
import { account, visitor } from './testing.ts'

const MINUTE_MS = 60_000
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')

test('lock-outs and known networks are preserved by the migration to the common limiter', async () => {
  const database = await emptyDatabase()
  await migrate(database.config, '0015_changed_projects')
  const owner = account()
  const [known, guessing, other] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const
  const since = new Date(Date.now() - 5 * MINUTE_MS)
  const until = new Date(Date.now() + 1_000 * MINUTE_MS)
  const rows = [
    [keyOf('pair', owner.email, networkOf(known)), 0, since, until, until],
    [keyOf('pair', owner.email, networkOf(guessing)), 5, since, null, until],
    [keyOf('account', owner.email), 60, since, null, until],
  ]
  await onServer(database.config, async (client) => {
    for (const row of rows)
      await client.query(
        'insert into identity.attempts (key, failures, since, known_until, forget_at) values ($1, $2, $3, $4, $5)',
        row,
      )
  })

  await migrate(database.config)
  const connection = connect(database.config, pino({ level: 'silent' }))
  const server = await testServer({ db: connection.db })
  expect((await visitor(server.app, { ip: '203.0.113.9' }).signUp(owner)).statusCode).toBe(204)
  const statusFrom = async (address: string) =>
    (await visitor(server.app, { ip: address }).signIn(owner)).statusCode
  expect([await statusFrom(guessing), await statusFrom(other), await statusFrom(known)]).toEqual([
    429, 429, 204,
  ])
  await server.close()
  await connection.close()
  await database.close()
})
