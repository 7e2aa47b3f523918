import { type Kysely, sql, type Transaction } from 'kysely'
import type { Scope } from '#contract/parts/call.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

const columns = ['id', 'name', 'scopes', 'project_ids', 'created_at', 'expires_at', 'last_used_at'] as const

export type AccessTokenRecord = NonNullable<Awaited<ReturnType<typeof findToken>>>

/** Returns an access token by its hash, even if it is expired. */
export function findByHash(db: Db, hash: Buffer) {
  return byHash.first(db, { hash })
}

const byHash = prepared((db, { hash }: { hash: Buffer }) =>
  db
    .selectFrom('access_tokens')
    .select(['id', 'user_id', 'scopes', 'project_ids', 'expires_at', 'last_used_at'])
    .where('token_hash', '=', hash),
)

/** Records a use, unless another process has just recorded one. */
export async function recordUse(
  db: Kysely<Schema>,
  id: string,
  { now, before }: { now: Date; before: Date },
) {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', before)]))
    .execute()
}

/** Returns the access tokens of a user, newest first. */
export function listTokensOf(db: Db, userId: string) {
  return db
    .selectFrom('access_tokens')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function findToken(db: Db, id: string) {
  return db.selectFrom('access_tokens').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Locks the session in which a token is created, so that it cannot end meanwhile; returns whether it is open. */
export async function lockSession(trx: Transaction<Schema>, sessionId: string): Promise<boolean> {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return session !== undefined
}

type Values = {
  id: string
  userId: string
  name: string
  hash: Buffer
  scopes: Scope[]
  projectIds: string[] | null
  changes: string[]
  now: Date
  expiresAt: Date | null
}

/** Returns an access token of a person with what it remembers. */
export function findTokenOf(db: Db, userId: string, id: string) {
  return db
    .selectFrom('access_tokens')
    .select(columns)
    .select('changes')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Adds an access token; returns undefined if its id is taken. */
export function insertToken(trx: Transaction<Schema>, token: Values): Promise<AccessTokenRecord | undefined> {
  return trx
    .insertInto('access_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      name: token.name,
      token_hash: token.hash,
      scopes: token.scopes,
      project_ids: token.projectIds,
      created_at: token.now,
      expires_at: token.expiresAt,
      last_used_at: null,
      changes: token.changes,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteToken(db: Kysely<Schema>, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the given access tokens that were not revoked. */
export async function findUnrevoked(db: Kysely<Schema>, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('access_tokens')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the given projects that a user owns or collaborates on, ordered by title. */
export async function listNamed(db: Db, userId: string, ids: string[]) {
  const { rows } = await sql<{ id: string; title: string }>`
    select p.id, p.title from live_projects p where p.id = any(${ids}::uuid[]) and (p.owner_id = ${userId} or exists (
      select from collaborators c where c.project_id = p.id and c.user_id = ${userId} and c.status = 'accepted'))
    order by p.title, p.id`.execute(db)
  return rows
}

/** Returns when an access token was created, and the email of its owner. */
export function findForNotice(db: Kysely<Schema>, tokenId: string) {
  return db
    .selectFrom('access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.email', 'u.time_zone', 'u.date_format', 't.created_at'])
    .where('t.id', '=', tokenId)
    .executeTakeFirst()
}
