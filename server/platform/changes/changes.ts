import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Call, idempotencyKey, isCreating } from '#contract/parts/call.ts'
import { newId } from '#contract/parts/wire.ts'
import type { Db } from '#server/database/rows.ts'
import { AppError } from '#server/platform/api/errors.ts'

/** How many changes of a row are remembered, besides the one that created it. */
const LATEST = 8

/** The ids with which a caller sends a change, so that it can be sent again. */
export type Change = {
  /** The id of the change, from `Idempotency-Key`; null without one. */
  change: string | null
  /** The id of what the call creates, if the caller has chosen it. */
  newId: string | null
  /** Makes the response say that this was done before: 200, and whether what was created has this very change. */
  wasDone: (row: { changes: readonly string[] }) => void
}

/** A change that nobody sends again, such as one that this server makes. */
export const unrepeated: Change = { change: null, newId: null, wasDone: () => undefined }

/** What a row remembers from its creation. */
export const firstChanges = ({ change }: Pick<Change, 'change'>): string[] =>
  change === null ? [] : [change]

/** Whether a row already has a change. */
export const hasChange = ({ changes }: { changes: readonly string[] }, { change }: Pick<Change, 'change'>) =>
  change !== null && changes.includes(change)

/** The changes of a row with one more, in the update that makes it. */
export const withChange = (change: string | null): RawBuilder<string[]> => sql<string[]>`
  case when ${change}::uuid is null then changes
  else changes[1:1] || changes[greatest(2, cardinality(changes) - ${sql.lit(LATEST - 2)}):] || ${change}::uuid end`

/** What has an id that a client has chosen. */
export type Kind =
  | 'removed'
  | 'entry'
  | 'milestone'
  | 'project'
  | 'file'
  | 'collaborator'
  | 'webhook'
  | 'access token'
  | 'server invitation'
  | 'share link'

/** Returns what has an id; null if nothing ever had it. */
export async function findTaker(db: Db, id: string | null): Promise<Kind | null> {
  if (id === null) return null
  const { rows } = await sql<{ kind: Kind | null }>`select taken_by(${id}::uuid) as kind`.execute(db)
  return rows[0]?.kind ?? null
}

/** Returns whether something has or had one of these ids. */
export async function isAnyTaken(db: Db, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const { rows } =
    await sql`select from unnest(${ids}::uuid[]) id where taken_by(id) is not null limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns what the same account has created under the id of a call before, found by `find`; undefined if the id is free. Throws
 * `id_taken`, in the same words whatever has it.
 */
export async function findCreated<Row extends { changes: readonly string[] }>(
  taker: Kind | null,
  kind: Kind,
  find: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (taker === null) return undefined
  const row = taker === kind ? await find() : undefined
  if (!row) throw idTaken()
  return row
}

export const idTaken = () =>
  new AppError('id_taken', 'Something else has this _id already, or had it. Choose a new one.')

/** Returns the ids of a request: those that it sends, and those that follow from a key that is no UUID. */
export function changeOf(request: FastifyRequest, call: Call, name: string): Omit<Change, 'wasDone'> {
  const { 'idempotency-key': key } = request.headers
  const { _id } = (request.body ?? {}) as { _id?: unknown }
  const sentId = typeof _id === 'string' ? _id : null
  if (typeof key !== 'string' || !request.caller) return { change: null, newId: sentId }
  const derived = (use: string) => derivedId(request.caller?.userId ?? '', name, key, use)
  return {
    change: newId.safeParse(key).success ? key : derived('change'),
    newId: sentId ?? (isCreating(call) ? derived('id') : null),
  }
}

/** Returns a UUIDv8 that is the same for the same words. */
export function derivedId(...words: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16)
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The headers of a changing call; other headers are unchanged. */
export const changingHeaders = z.looseObject({ 'idempotency-key': idempotencyKey.optional() })
