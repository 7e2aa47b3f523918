import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '#server/features.ts'
import { picture as testPicture } from '#server/files/testing.ts'
import { account, visitor } from '#server/identity/local/testing.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { buildersFor } from '#server/testing/builders.ts'
import { createClient } from '#server/testing/client.ts'
import { sendForm } from '#server/testing/form.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { purgeTrash } from '#server/trash/purge.ts'
import { purgeAccounts } from './deletion.ts'

const DAY_MS = 24 * 60 * 60_000

let server: TestServer
let client: ReturnType<typeof createClient>
let make: ReturnType<typeof buildersFor>
beforeAll(async () => {
  server = await testServer()
  client = createClient(server.app)
  make = buildersFor(server.deps, client)
})
afterAll(() => server.close())
beforeEach(() => {
  server.time.now = new Date()
})

/** A signed-in user whose name and email occur nowhere else. */
async function person(name = `Ada ${randomUUID()}`) {
  const fields = { ...account(), name }
  const browser = visitor(server.app)
  expect((await browser.signUp(fields)).statusCode).toBe(204)
  const { token, user } = await browser.enter()
  return {
    fields,
    browser,
    token,
    name,
    email: fields.email,
    userId: user._id,
    headers: { authorization: `Bearer ${token}` },
  }
}
type Somebody = Awaited<ReturnType<typeof person>>

const leave = (who: Somebody, email = who.email) =>
  server.app.inject({
    method: 'POST',
    url: '/api/account/deletion',
    headers: who.headers,
    payload: { email },
  })

/** Signs in and exchanges the ID token together with `fields`. */
async function returning(who: Somebody, fields: object = {}) {
  const browser = visitor(server.app)
  expect((await browser.signIn(who.fields)).statusCode).toBe(204)
  return browser.exchange({ idToken: await browser.idToken(), ...fields })
}

/** Runs the job with a clock that is some days ahead. */
const after = (days: number) => ({
  ...server.deps,
  clock: () => new Date(Date.now() + days * DAY_MS + 2 * 60 * 60_000),
})

const publicStatus = async (projectId: string) =>
  (await server.app.inject({ url: `/api/projects/world/${projectId}` })).statusCode

/** The tables whose rows contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    server.deps.db,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: matching } = await sql`
      select from ${sql.raw(name)} t where strpos(lower(t::text), lower(${text})) > 0 limit 1`.execute(
      server.deps.db,
    )
    if (matching.length > 0) found.push(name)
  }
  return found
}

describe('deleting an account', () => {
  test('requires its email', async () => {
    const ada = await person()
    for (const email of [undefined, '', 'bo@example.test']) {
      const refused = await leave({ ...ada, email: '' }, email)
      expect(refused.json()).toMatchObject({
        issues: [{ path: 'email', message: 'Enter the email address of your account' }],
      })
    }
    expect((await leave(ada, ada.email.toUpperCase())).statusCode).toBe(200)
  })

  test('unpublishes its projects and ends all sessions immediately', async () => {
    const ada = await person()
    const { _id } = await make.project(ada, { isPublic: true })
    expect(await publicStatus(_id)).toBe(200)
    const left = await leave(ada)
    expect(left.statusCode).toBe(200)
    const { deletesAt } = left.json<{ deletesAt: string }>()
    expect(new Date(deletesAt).getTime() - server.time.now.getTime()).toBe(7 * DAY_MS)
    expect(await publicStatus(_id)).toBe(404)
    expect(await ada.browser.me(ada.token)).toBe(401)
    expect((await ada.browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })

  test('is cancelled, with all projects restored, by signing in within seven days and choosing to keep the account', async () => {
    const ada = await person()
    const { _id } = await make.project(ada, { isPublic: true })
    const deletedBefore = await make.project(ada, { isPublic: true })
    await client.call('deleteProject', { params: { projectId: deletedBefore._id } }, { as: ada })
    server.time.now = new Date(Date.now() + 1)
    await leave(ada)
    const offered = await returning(ada)
    expect([offered.statusCode, offered.json<{ code: string }>().code]).toEqual([403, 'account_leaving'])
    expect(offered.json<{ message: string }>().message).toMatch(
      /^This account will be deleted on \w+ \d+, \d{4}\.$/,
    )
    // Neither the trash nor the job runs early.
    await purgeTrash({ ...after(6), trashDays: 1 })
    await purgeAccounts({ features, ...after(6) })
    const kept = await returning(ada, { keepAccount: true })
    expect(kept.statusCode).toBe(200)
    expect(await publicStatus(_id)).toBe(200)
    expect(await publicStatus(deletedBefore._id)).toBe(404)
    expect((await returning(ada)).statusCode).toBe(200)
    await purgeAccounts({ features, ...after(30) })
    expect(await publicStatus(_id)).toBe(200)
  })

  test('cannot be cancelled after seven days', async () => {
    const ada = await person()
    server.time.now = new Date(Date.now() - 7 * DAY_MS)
    await sql`update users set leaving_since = ${server.time.now} where id = ${ada.userId}`.execute(
      server.deps.db,
    )
    server.time.now = new Date()
    expect((await returning(ada, { keepAccount: true })).json()).toMatchObject({
      code: 'account_leaving',
      message: 'This account is being deleted.',
    })
  })

  test('waits until projects with other members are transferred or deleted', async () => {
    const [ada, bo] = [await person(), await person()]
    const first = await make.project(ada)
    server.time.now = new Date(server.time.now.getTime() + 1_000)
    const second = await make.project(ada)
    const { inviteToken, _id: collaborator } = await make.invitation(ada, first._id, { email: bo.email })
    await client.call('acceptInvitation', { params: { inviteToken } }, { as: bo })
    const again = await make.invitation(ada, second._id, { email: bo.email })
    await client.call('acceptInvitation', { params: { inviteToken: again.inviteToken } }, { as: bo })
    expect(await client.call('previewDeletion', {}, { as: ada })).toMatchObject({
      projects: 2,
      shared: [{ _id: second._id }, { _id: first._id, members: [{ _id: collaborator, name: bo.name }] }],
    })
    expect((await leave(ada)).json()).toMatchObject({ code: 'conflict' })

    const params = { projectId: first._id }
    await client.call('transferProject', { params, body: { collaborator } }, { as: ada })
    expect(await client.call('readPermissions', { params }, { as: bo })).toMatchObject({ role: 'owner' })
    expect(await client.call('readPermissions', { params }, { as: ada })).toMatchObject({ role: 'admin' })
    expect((await leave(ada)).json()).toMatchObject({ code: 'conflict' })
    await client.call('deleteProject', { params: { projectId: second._id } }, { as: ada })
    expect((await leave(ada)).statusCode).toBe(200)
  })

  test('is not prevented by a project that is transferred to the account', async () => {
    const [ada, bo] = [await person(), await person()]
    const project = await make.project(bo)
    const { inviteToken, _id: collaborator } = await make.invitation(bo, project._id, { email: ada.email })
    await client.call('acceptInvitation', { params: { inviteToken } }, { as: ada })
    await leave(ada)
    const refused = await client.refused(
      'transferProject',
      { params: { projectId: project._id }, body: { collaborator } },
      { as: bo },
    )
    expect(refused.status).toBe(409)
  })

  test('leaves no name, email, picture or token in any table; others see a former member', async () => {
    const [ada, bo] = [await person(), await person('Bo')]
    const picture = `https://pictures.example.test/${randomUUID()}.png`
    await sql`update users set photo_url = ${picture} where id = ${ada.userId}`.execute(server.deps.db)
    await sql`update identity."user" set image = ${picture} where email = ${ada.email}`.execute(
      server.deps.db,
    )

    const image = { bytes: await testPicture(20, 20).png().toBuffer() }
    const own = await sendForm(server.app, {
      method: 'PUT',
      url: '/api/account/picture',
      as: ada,
      fields: {},
      image,
    })
    const ownPicture = own.json<{ photoURL: string }>().photoURL.split('/').at(-1) ?? ''
    const project = await make.project(bo, { isPublic: true })
    const { inviteToken } = await make.invitation(bo, project._id, { email: ada.email, role: 'admin' })
    await client.call('acceptInvitation', { params: { inviteToken } }, { as: ada })
    await make.invitation(bo, (await make.project(bo))._id, { email: ada.email }) // a pending one
    const milestone = await make.milestone(bo, project._id)
    const entry = await make.entry(ada, milestone._id)
    const entryParams = { milestoneId: milestone._id, entryId: entry._id }
    await client.call('updateEntry', { params: entryParams, body: { content: 'Edited' } }, { as: bo })
    await make.invitation(ada, project._id, { email: (await person('Cy')).email })
    const transferred = await make.project(ada)
    const { inviteToken: token, _id: collaborator } = await make.invitation(ada, transferred._id, {
      email: bo.email,
    })
    await client.call('acceptInvitation', { params: { inviteToken: token } }, { as: bo })
    const transfer = { params: { projectId: transferred._id }, body: { collaborator } }
    await client.call('transferProject', transfer, { as: ada })
    await make.project(ada, { isPublic: true })
    const cookie = decodeURIComponent(ada.browser.jar.get('milepost.session_token') ?? '').split('.')[0] ?? ''

    // A failed job with a mail server's response that contains her email.
    await sql`create schema jobs`.execute(server.deps.db)
    await sql`create table jobs.job as select jsonb_build_object('message', ${ada.email}::text) as output`.execute(
      server.deps.db,
    )
    const tokenName = `Nightly of ${randomUUID()}`
    const program = await make.program(ada, { name: tokenName })
    const tokenHash = hashOfToken(program.headers.authorization?.slice('Bearer '.length) ?? '').toString(
      'hex',
    )
    const secrets = { name: ada.name, email: ada.email, picture, ownPicture, cookie, tokenName, tokenHash }
    for (const [what, text] of Object.entries(secrets))
      expect([what, (await tablesWith(text)).length > 0]).toEqual([what, true])
    expect((await leave(ada)).statusCode).toBe(200)
    await purgeAccounts({ features, ...after(7) })
    for (const [what, text] of Object.entries(secrets))
      expect([what, await tablesWith(text)]).toEqual([what, []])

    const world = await client.call('readWorldEntry', {
      params: { projectId: project._id, entryId: entry._id },
    })
    expect(JSON.stringify(world)).toContain('Former member')
    const { revisions } = await client.call('listRevisions', { params: entryParams }, { as: bo })
    expect(JSON.stringify(revisions)).toContain('Former member')
    const { activity } = await client.call('listActivity', { params: { projectId: project._id } }, { as: bo })
    expect(activity.find(({ kind }) => kind === 'entry_written')?.actor?.name).toBe('Former member')
    expect(activity.find(({ kind }) => kind === 'member_invited')?.actor?.name).toBe('Former member')
    const { notifications } = await client.call('listNotifications', { query: { page: 1 } }, { as: bo })
    expect(notifications.map(({ message }) => message)).toContain(
      'Former member transferred “A canoe” to you',
    )
    // The email is free again.
    expect((await visitor(server.app).signUp(ada.fields)).statusCode).toBe(204)
  })

  test('also removes former emails', async () => {
    const [ada, bo] = [await person(), await person('Bo')]
    await make.invitation(bo, (await make.project(bo))._id, { email: ada.email })
    const { emailChanges } = server.deps.identity
    const { rows } = await sql<{
      subject: string
    }>`select subject from users where id = ${ada.userId}`.execute(server.deps.db)
    const email = account().email
    await server.deps.db
      .transaction()
      .execute(async (trx) =>
        emailChanges?.assign(trx, { subject: rows[0]?.subject ?? '', email, remaining: null }),
      )
    const browser = visitor(server.app)
    await browser.signIn({ ...ada.fields, email })
    const { token } = await browser.enter()
    expect((await leave({ ...ada, headers: { authorization: `Bearer ${token}` } }, email)).statusCode).toBe(
      200,
    )
    expect(await tablesWith(ada.email)).toContain('public.former_emails')
    await purgeAccounts({ features, ...after(7) })
    expect(await tablesWith(ada.email)).toEqual([])
    expect(await tablesWith(email)).toEqual([])
  })

  test('with an unverified email keeps the invitations to that email, which may belong to another person', async () => {
    const [mallory, bo] = [await person(), await person('Bo')]
    const project = await make.project(bo)
    await make.invitation(bo, project._id, { email: mallory.email })
    await leave(mallory)
    await purgeAccounts({ features, ...after(7), sendsMail: true })
    expect(await tablesWith(mallory.email)).toContain('public.collaborators')
    expect(await tablesWith(mallory.name)).toEqual([])
  })
})
