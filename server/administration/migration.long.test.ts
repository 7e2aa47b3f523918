import { expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { emptyDatabase } from '#server/database/testing.ts'
import { onServer } from '#server/database/testing-setup.ts'

test.each([
  ['the only account of an updated server becomes its administrator', 1, [true]],
  ['of several accounts none becomes an administrator by an update', 2, [false, false]],
])('%s', async (_name, count, expected) => {
  const database = await emptyDatabase()
  await migrate(database.config, '0028_account_deletion')
  const administrators = await onServer(database.config, async (client) => {
    for (let number = 0; number < count; number += 1)
      await client.query(
        `insert into users (id, issuer, subject, name, email, email_verified, created_at, updated_at)
         values (gen_random_uuid(), 'urn:test', $1, 'Ada', 'ada@example.test', false, now(), now())`,
        [String(number)],
      )
    await migrate(database.config)
    const { rows } = await client.query<{ is_admin: boolean }>('select is_admin from users')
    return rows.map(({ is_admin }) => is_admin)
  })
  expect(administrators).toEqual(expected)
  await database.close()
})
