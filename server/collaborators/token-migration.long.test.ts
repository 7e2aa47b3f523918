import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { emptyDatabase } from '#server/database/testing.ts'
import { onServer } from '#server/database/testing-setup.ts'
import { derive } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.close())

const id = (number: number) => `0199f1f0-0000-7000-8000-00000000000${number}`
const cipher = createTokenCipher({
  current: derive('the secret of a server that is updated'),
  previous: null,
})

async function rowsOf<T extends object>(text: string): Promise<T[]> {
  return onServer(database.config, async (client) => (await client.query<T>(text)).rows)
}

/** Ada's project with an invited person, the member Grace, and a person who declined. */
const PEOPLE = `
  insert into users (id, issuer, subject, name, email, email_verified, created_at, updated_at) values
    ('${id(1)}', 'x', '1', 'Ada', 'ada@example.test', true, '2026-01-01', now()),
    ('${id(2)}', 'x', '2', 'Grace', 'grace@example.test', true, '2026-01-01', now())`
const PROJECT = `
  insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
  values ('${id(3)}', '${id(1)}', 'A canoe', 'Strip by strip', false, now(), now())`

it('invitations and memberships of the first schema are preserved, and their links work', async () => {
  await migrate(database.config, '0007_notifications')
  await rowsOf(PEOPLE)
  await rowsOf(PROJECT)
  await rowsOf(`
    insert into collaborators
      (id, project_id, email, role, status, invite_token, expires_at, user_id, created_at, updated_at)
    values
      ('${id(4)}', '${id(3)}', 'new@example.test', 'viewer', 'pending', 'früher', '2100-01-01', null, now(), now()),
      ('${id(5)}', '${id(3)}', 'grace@example.test', 'editor', 'accepted', null, null, '${id(2)}', now(), '2026-01-02T00:00:00Z'),
      ('${id(6)}', '${id(3)}', 'no@example.test', 'admin', 'declined', null, null, null, now(), now())`)
  await migrate(database.config)
  expect(
    await rowsOf('select id, joined_at, token_hash, invite_token_encrypted from collaborators order by id'),
  ).toEqual([
    { id: id(4), joined_at: null, token_hash: hashOfToken('früher', 'hex'), invite_token_encrypted: null },
    {
      id: id(5),
      joined_at: new Date('2026-01-02T00:00:00Z'),
      token_hash: null,
      invite_token_encrypted: null,
    },
    { id: id(6), joined_at: null, token_hash: null, invite_token_encrypted: null },
  ])
})

it('tokens in plain text are encrypted, and notifications refer to their invitations instead', async () => {
  await migrate(database.config, '0010_call_limits')
  const [open, used] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  await rowsOf(PEOPLE)
  await rowsOf(PROJECT)
  await rowsOf(`
    insert into collaborators (id, project_id, email, role, status, invite_token, token_hash, expires_at, created_at, updated_at)
    values ('${id(4)}', '${id(3)}', 'grace@example.test', 'viewer', 'pending', '${open}', '${hashOfToken(open, 'hex')}', '2100-01-01', '2026-02-01', now())`)
  await rowsOf(`
    insert into notifications (id, user_id, type, title, message, data, created_at) values
      ('${id(5)}', '${id(2)}', 'collaboration_invite', '', '', '{"inviteToken": "${open}", "projectId": "p"}', now()),
      ('${id(6)}', '${id(2)}', 'collaboration_invite', '', '', '{"inviteToken": "${used}", "projectId": "p"}', now())`)
  await migrate(database.config, undefined, { encryptInviteToken: cipher.encrypt })

  const [row] = await rowsOf<{ invite_token_encrypted: Buffer }>('select * from collaborators')
  expect(cipher.decrypt(row?.invite_token_encrypted ?? null, id(4))).toBe(open)
  const texts = await rowsOf<{ text: string }>(
    'select c::text as text from collaborators c union all select n::text from notifications n',
  )
  expect(texts.filter(({ text }) => text.includes(open) || text.includes(used))).toEqual([])
  expect(await rowsOf('select data from notifications order by id')).toEqual([
    { data: { collaboratorId: id(4), projectId: 'p' } },
    { data: { projectId: 'p' } },
  ])
})

it('an unverified account that is newer than the invitation no longer gets it', async () => {
  await migrate(database.config, '0010_call_limits')
  await rowsOf(PEOPLE)
  await rowsOf(PROJECT)
  await rowsOf(`
    insert into collaborators (id, project_id, email, role, status, token_hash, expires_at, created_at, updated_at)
    values ('${id(4)}', '${id(3)}', 'late@example.test', 'admin', 'pending', 'hash', '2100-01-01', '2026-02-01', now())`)
  await rowsOf(`
    insert into users (id, issuer, subject, name, email, email_verified, created_at, updated_at) values
      ('${id(7)}', 'x', '7', 'Early', 'late@example.test', false, '2026-01-31', now()),
      ('${id(8)}', 'x', '8', 'Late', 'late@example.test', false, '2026-02-02', now()),
      ('${id(9)}', 'x', '9', 'Late and verified', 'late@example.test', true, '2026-02-02', now())`)
  await rowsOf(`
    insert into invitation_notices (collaborator_id, user_id, token_hash)
    select '${id(4)}', id, 'hash' from users where email = 'late@example.test'`)
  await migrate(database.config)
  expect(await rowsOf('select user_id from invitation_notices order by user_id')).toEqual([
    { user_id: id(7) },
    { user_id: id(9) },
  ])
})
