import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ImportChoices, ImportPlan, ImportReport, ImportState } from '#contract/imports.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Source } from './items.ts'

const columns = [
  'id',
  'user_id',
  'name',
  'size',
  'received',
  'parts',
  'source',
  'state',
  'problem',
  'plan',
  'choices',
  'report',
  'done',
  'undo_until',
  'created_at',
] as const

export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>

export function findImport(db: Db, id: string, userId: string) {
  return db
    .selectFrom('imports')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Locks an import of a person for a change. */
export function lockImport(trx: Transaction<Schema>, id: string, userId: string) {
  return trx
    .selectFrom('imports')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the imports of a person, newest first, without their plans and reports. */
export function listImportsOf(db: Db, userId: string) {
  return db
    .selectFrom('imports')
    .select(columns)
    .select([sql<null>`null`.as('plan'), sql<null>`null`.as('report'), sql<null>`null`.as('choices')])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(50)
    .execute()
}

type Start = {
  id: string
  userId: string
  name: string
  size: number
  fingerprint: string
  network: string
  now: Date
}

/** Returns the import of the same file that waits for its bytes or for a decision. */
export function findBegun(
  db: Db,
  { userId, name, size, fingerprint }: Omit<Start, 'id' | 'network' | 'now'>,
) {
  return db
    .selectFrom('imports')
    .select(columns)
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('size', '=', size)
    .where('fingerprint', '=', fingerprint)
    .where('state', 'in', fingerprint === '' ? ['uploading'] : ['uploading', 'planned'])
    .executeTakeFirst()
}

/**
 * Counts the imports of a person that have not ended, and the bytes of their archives and of everybody's. The person is locked, so that
 * two calls do not both find room.
 */
export async function countOpen(
  trx: Transaction<Schema>,
  userId: string,
): Promise<{ count: number; bytes: number; bytesOfAll: number }> {
  await sql`select from users where id = ${userId} for update`.execute(trx)
  const own = sql`filter (where user_id = ${userId})`
  return trx
    .selectFrom('imports')
    .select([
      sql<number>`count(*) ${own}::integer`.as('count'),
      sql<number>`coalesce(sum(size) ${own}, 0)::bigint`.as('bytes'),
      sql<number>`coalesce(sum(size), 0)::bigint`.as('bytesOfAll'),
    ])
    .where('state', 'not in', ['done', 'undone', 'failed'])
    .executeTakeFirstOrThrow()
}

export function insertImport(trx: Transaction<Schema>, start: Start) {
  const { id, userId, name, size, fingerprint, network, now } = start
  return trx
    .insertInto('imports')
    .values({
      id,
      user_id: userId,
      name,
      size,
      fingerprint,
      network: digestOf(network),
      state: 'uploading',
      created_at: now,
      updated_at: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Networks are hashed, so that the table does not list them. */
const digestOf = (network: string) => createHash('sha256').update(`import\0${network}`).digest('base64url')

type Change = {
  state?: ImportState
  source?: Source
  problem?: string | null
  plan?: ImportPlan
  choices?: ImportChoices
  report?: ImportReport
  done?: number
  received?: number
  parts?: number
  undoUntil?: Date | null
}

/**
 * Changes an import and returns it; undefined if it is not in the state `from` any more. Another state ends the lease of the process
 * that worked on it.
 */
export async function updateImport(
  db: Db,
  id: string,
  change: Change,
  now: Date,
  from?: ImportState,
): Promise<ImportRow | undefined> {
  const { state, source, problem, done, received, parts, undoUntil } = change
  return db
    .updateTable('imports')
    .set({
      state,
      source,
      problem,
      done,
      received,
      parts,
      undo_until: undoUntil,
      updated_at: now,
      ...(state && { lease_until: null }),
      ...(change.plan && { plan: JSON.stringify(change.plan) }),
      ...(change.choices && { choices: JSON.stringify(change.choices) }),
      ...(change.report && { report: JSON.stringify(change.report) }),
    })
    .where('id', '=', id)
    .$if(from !== undefined, (query) => query.where('state', '=', from ?? 'running'))
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Claims an import that is to be worked on and that no process works on: the one that waits longest, and one of a person and of a network
 * at a time, so that nobody holds all places by archives that take long to read.
 */
export function claimImport(db: Kysely<Schema>, leaseMs: number) {
  return db.transaction().execute(async (trx) => {
    // Two that claim at the same moment would not see each other's lease.
    await sql`select pg_advisory_xact_lock(hashtextextended('milepost claim of an import', 0))`.execute(trx)
    const { rows } = await claim(trx, leaseMs)
    return rows[0]
  })
}

const claim = (trx: Transaction<Schema>, leaseMs: number) =>
  sql<{
    id: string
    user_id: string
    name: string
    size: number
    parts: number
    source: Source | null
    state: ImportState
    choices: ImportChoices | null
    done: number
    time_zone: string | null
    created_at: Date
  }>`
    update imports i set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select n.id, u.time_zone from imports n join users u on u.id = n.user_id
      where n.state in ('inspecting', 'running', 'undoing') and (n.lease_until is null or n.lease_until < now())
        and u.suspended_at is null and u.leaving_since is null
        and not exists (
          select from imports o
          where (o.user_id = n.user_id or o.network = n.network) and o.id <> n.id and o.lease_until > now())
      order by n.updated_at limit 1 for update of n skip locked
    ) next
    where i.id = next.id
    returning i.id, i.user_id, i.name, i.size, i.parts, i.source, i.state, i.choices, i.done, i.created_at, next.time_zone`.execute(
    trx,
  )

export type Claimed = NonNullable<Awaited<ReturnType<typeof claimImport>>>

/** Renews the lease; returns false if the import is not in this state any more. */
export async function renewLease(
  db: Db,
  { id, state }: Pick<Claimed, 'id' | 'state'>,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update imports set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${id} and state = ${state} returning id`.execute(db)
  return rows.length > 0
}

/** Whether an import of somebody else waits for a process. */
export async function isAnotherWaiting(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from imports where state in ('inspecting', 'running', 'undoing') and user_id <> ${userId}
        and (lease_until is null or lease_until < now())) as waits`.execute(db)
  return rows[0]?.waits ?? false
}

/** Ends the lease at once, so that another run goes on. */
export async function endLease(db: Db, id: string): Promise<void> {
  await sql`update imports set lease_until = null where id = ${id}`.execute(db)
}

/** Returns imports whose archive is not needed any more: those that ended, were left alone for days, or whose person is gone. */
export function listSpent(db: Db, now: Date) {
  return db
    .selectFrom('imports')
    .select(['id', 'parts', 'user_id', 'state'])
    .where((where) =>
      where.or([
        where('user_id', 'is', null),
        where.and([where('parts', '>', 0), where('state', 'in', ['done', 'undone', 'failed'])]),
        where.and([
          where('state', 'in', ['uploading', 'planned', 'paused']),
          where('updated_at', '<', new Date(now.getTime() - SPENT_MS)),
        ]),
      ]),
    )
    .limit(20)
    .execute()
}

/** For how long an archive is kept that nobody does anything with. */
const SPENT_MS = 7 * 24 * 3_600_000

export async function removeImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute()
}

export async function findNameOf(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst())?.name
}

export async function findReport(db: Db, id: string): Promise<ImportReport | null> {
  return (
    (await db.selectFrom('imports').select('report').where('id', '=', id).executeTakeFirst())?.report ?? null
  )
}

/** Lets an import rest for some seconds. */
export async function postpone(db: Db, id: string, seconds: number): Promise<void> {
  await sql`update imports set lease_until = now() + ${seconds} * interval '1 second' where id = ${id}`.execute(
    db,
  )
}

/** Records that the archive of an import is not stored any more. One that was paused has ended, and what it has created can be undone. */
export async function spendParts(db: Db, id: string, undoUntil: Date): Promise<void> {
  await sql`
    update imports set parts = 0, network = null,
      undo_until = case when state = 'paused' and exists (select from import_items where import_id = id)
        then ${undoUntil}::timestamptz else undo_until end,
      problem = case when state = 'paused' then ${SPENT} else problem end,
      state = case when state = 'paused' then 'failed' else state end
    where id = ${id}`.execute(db)
}

const SPENT =
  'This import was paused for a week, so its archive is not stored any more. Bring the archive again: what came already is found.'
