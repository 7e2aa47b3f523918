import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from '#contract/parts/call.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { body, createResources, idsIn, named, type ResourceIds, send } from './samples.ts'

/** A value for each type of column. In the end none may be stored anywhere. */
const MARKS: Record<string, unknown> = {
  uuid: '0199dead-dead-7ead-8ead-deaddeaddead',
  'timestamp with time zone': '2001-02-03T04:05:06.000Z',
  integer: 987_654_321,
  bigint: 987_654_321,
  text: 'from outside',
  boolean: true,
}
const TRACES = ['0199dead-dead', '2001-02-03', '987654321', 'from outside']

/**
 * Calls that are refused with these statuses: they need another person's invitation, a password, an email, a token, a picture,
 * a member, the name of a page or a mode that is not sent, another provider, a mail server, or a notification or file that does not
 * exist. All other calls succeed.
 */
const REFUSED: Record<string, number> = {
  acceptInvitation: 403,
  addPasskey: 404,
  beginPasskey: 409,
  beginPasskeyProof: 409,
  beginTwoFactor: 409,
  changeEmail: 400,
  changePassword: 400,
  changePersonEmail: 409,
  changeProfile: 400,
  confirmEmailChange: 400,
  createImport: 400,
  declineInvitation: 403,
  deleteAccount: 400,
  renameTag: 404,
  undoBulkChange: 404,
  transferProject: 400,
  makeRecoveryCodes: 409,
  makeResetLink: 409,
  markNotificationRead: 404,
  proveByPasskey: 400,
  proveByPassword: 400,
  refuseEmailChange: 400,
  renamePasskey: 404,
  sendTestEmail: 409,
  turnOffPersonTwoFactor: 409,
  turnOffTwoFactor: 409,
  turnOnTwoFactor: 400,
  updatePicture: 400,
  updateRegistration: 400,
  runImport: 404,
  sendImportPart: 404,
  undoImport: 404,
  uploadFile: 404,
}

type Column = { table: string; name: string; type: string }

let t: TestApp
let owner: Person
let columns: Column[]
let everything: Record<string, unknown>
/** For calls about an account, which accept no larger body. */
let everythingOfAccounts: Record<string, unknown>
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  await t.pool.query('update users set is_admin = true where id = $1', [owner.userId])
  const { rows } = await t.pool.query<Column>(
    `select format('%I.%I', table_schema, table_name) as table, column_name as name, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'`,
  )
  columns = rows
  everything = marked(columns)
  everythingOfAccounts = marked(columns.filter(({ table }) => /^(public\.users|identity\.)/.test(table)))
})
afterAll(() => t.close())

function marked(of: Column[]): Record<string, unknown> {
  return Object.fromEntries(
    of.flatMap(({ name, type }) => {
      const mark = MARKS[type] ?? MARKS.text
      const camel = name.replaceAll(/_(\w)/g, (_, email: string) => email.toUpperCase())
      return [
        [name, mark],
        [camel, mark],
      ]
    }),
  )
}

async function traces(): Promise<string[]> {
  const tables = [...new Set(columns.map(({ table }) => table))]
  const statements = tables.map(
    (table) => `select '${table}: ' || r::text as found from ${table} r where r::text like any ($1)`,
  )
  const { rows } = await t.pool.query<{ found: string }>(statements.join(' union all '), [
    TRACES.map((trace) => `%${trace}%`),
  ])
  return rows.map(({ found }) => found)
}

/** Creates one of everything, including an entry in the trash, and an id for a new draft, for a call that names one of them. */
async function resourcesFor(call: Call): Promise<ResourceIds> {
  if (idsIn(call).length === 0) return { projectId: uuidv7() }
  const ids = await createResources(t, owner)
  const { _id: entryId } = await t.entry(owner, ids.milestoneId ?? '')
  const deletionId = await deleted(t, owner, { ...ids, entryId })
  return { ...ids, draftId: uuidv7(), deletionId, personId: (await t.person()).userId }
}

const writing = named.filter(([, { method }]) => method === 'POST' || method === 'PUT')

it.each(writing)(
  '%s accepts only the fields in the contract, and sets no other column',
  async (name, call) => {
    const ids = await resourcesFor(call)
    const claims = {
      issuer: 'urn:test',
      subject: ids.projectId,
      email: 'new@example.test',
      emailVerified: false,
    }
    const foreignOfFile = Object.fromEntries(
      Object.entries(call.bodyBytes ? everythingOfAccounts : everything).filter(
        ([column]) => !['name', 'size', 'type'].includes(column),
      ),
    )
    const own = {
      ...body,
      files: [{ ...foreignOfFile, name: 'plan.pdf', size: 12, type: 'application/pdf' }],
      email: `${ids.projectId}@example.test`,
      tags: ['wood'],
      scopes: ['read'],
      days: 30,
      url: 'https://example.test',
      text: 'Be kind',
      slug: null,
      idToken: JSON.stringify({ ...claims, name: 'Ada', picture: null, session: null }),
      firebaseUid: ids.projectId,
      isPublic: false,
      completed: false,
      ...(name === 'moveEntries' && { entries: [ids.entryId], milestone: ids.milestoneId }),
      ...(name === 'deleteEntries' && { entries: [ids.entryId] }),
    }
    const sender = name === 'signOut' ? await t.person() : owner
    const fields = call.body instanceof z.ZodObject ? Object.keys(call.body.shape) : []
    const foreign = Object.entries(call.bodyBytes ? everythingOfAccounts : everything).filter(
      ([column]) => !fields.includes(column),
    )
    const { succeeded, status } = await send(t, name, ids, sender, {
      ...Object.fromEntries(foreign),
      ...own,
    })
    expect(succeeded ? 'succeeded' : status).toBe(REFUSED[name] ?? 'succeeded')
    const { rows } = await t.pool.query('select 1 from users where email_verified')
    expect(rows).toEqual([])
  },
)

it('none of these calls has stored another field', async () => {
  expect(await traces()).toEqual([])
})

it('there are columns to assign', () => {
  expect(columns.length).toBeGreaterThan(80)
  expect(everything).toMatchObject({ owner_id: MARKS.uuid, ownerId: MARKS.uuid, revision: 987_654_321 })
})
