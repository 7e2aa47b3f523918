import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { idempotencyKey } from '#contract/call.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import {
  deleteBeyond,
  deleteOlder,
  findResponse,
  type IdempotencyKeyRef,
  insertKey,
  type StoredResponse,
  saveResponse,
} from './store.ts'

/**
 * The idempotency key of a creating call, for its one transaction (`transact`): the created rows, the key and the
 * response are committed together.
 */
export type Idempotency = {
  /** Inserts the key, before anything else. Waits while another transaction has it, and throws `Repeated` if that commits. */
  begin(trx: Transaction<Schema>): Promise<void>
  /** Stores the response. */
  end(trx: Transaction<Schema>, response: unknown): Promise<void>
}

/** Encrypts texts for the database, each bound to its row. */
export type Cipher = {
  encrypt: (text: string, row: string) => Buffer
  /** Returns null if the text was encrypted for another row, or with a secret that this server no longer has. */
  decrypt: (encrypted: Buffer | null, row: string) => string | null
}

/** The dependencies for responses to repeated calls. */
export type IdempotencyDeps = { db: Kysely<Schema>; cipher: Cipher; clock: () => Date }

/** A creating call with a key; `requestHash` distinguishes different requests with the same key. */
export type KeyedCall = IdempotencyKeyRef & { requestHash: Buffer }

/** Thrown if another transaction has already committed with the key. */
class Repeated extends Error {
  override name = 'Repeated'
}

/**
 * Runs a creating call, or returns the stored response of an earlier call with this key. Throws `key_reused` if the key
 * belongs to another request, and the errors of `run`, which store no key.
 */
export async function runIdempotently(
  deps: IdempotencyDeps,
  call: KeyedCall,
  run: (idempotency: Idempotency) => Promise<unknown>,
): Promise<unknown> {
  const stored = await findResponse(deps.db, call)
  if (stored) return responseOf(deps, call, stored)
  let isStored = false
  const idempotency: Idempotency = {
    async begin(trx) {
      if (!(await insertKey(trx, call, { requestHash: call.requestHash, now: deps.clock() })))
        throw new Repeated()
    },
    async end(trx, response) {
      await saveResponse(trx, call, deps.cipher.encrypt(JSON.stringify(response), associatedData(call)))
      isStored = true
    },
  }
  try {
    const response = await run(idempotency)
    if (!isStored) throw new Error(`${call.call} creates something without its idempotency key`)
    return response
  } catch (error) {
    const concurrent = error instanceof Repeated ? await findResponse(deps.db, call) : undefined
    if (!concurrent) throw error
    return responseOf(deps, call, concurrent)
  }
}

function responseOf(
  { cipher }: IdempotencyDeps,
  call: KeyedCall,
  { request_hash, answer }: StoredResponse,
): unknown {
  if (!request_hash.equals(call.requestHash))
    throw new AppError(
      'key_reused',
      'This Idempotency-Key was sent with another request before. Use a new one for each new request.',
    )
  const text = cipher.decrypt(answer, associatedData(call))
  if (text === null) throw conflict('This was saved before. Look for it instead of sending it again.')
  return JSON.parse(text)
}

const associatedData = ({ userId, call, key }: IdempotencyKeyRef) => `answer ${userId} ${call} ${key}`

/** The maximum number and age of an account's keys. */
const KEYS_MAX = 1_000
const KEY_LIFETIME_MS = 24 * 60 * 60_000

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Deletes keys that are older than a day, and the oldest keys of an account beyond the maximum, in batches. */
export async function sweepKeys(db: Kysely<Schema>, now: Date, kept = KEYS_MAX): Promise<void> {
  const before = new Date(now.getTime() - KEY_LIFETIME_MS)
  await deleteInBatches(db, { name: 'key sweep', batchSize: BATCH }, async (trx) =>
    Math.max(await deleteOlder(trx, before, BATCH), await deleteBeyond(trx, kept, BATCH)),
  )
}

/** Deletes old keys at regular intervals. */
export const keySweep = ({ db, clock }: Pick<IdempotencyDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of old keys',
  everyMs: PAUSE_MS,
  run: () => sweepKeys(db, clock()),
})

/** The headers of a creating call; other headers are unchanged. */
export const creatingHeaders = z.looseObject({ 'idempotency-key': idempotencyKey.optional() })

/** Returns the key of a creating call with the hash of the request; undefined without a key. */
export function keyedCallOf(request: FastifyRequest, call: string): KeyedCall | undefined {
  const { caller, params, body, upload, headers } = request
  const { 'idempotency-key': key } = headers
  if (typeof key !== 'string' || !caller) return undefined
  // The response for one access token is not returned to another, which may allow other projects.
  const asked = JSON.stringify([params, body, upload?.digest, ...(caller.grant ? [caller.sessionId] : [])])
  return { userId: caller.userId, call, key, requestHash: createHash('sha256').update(asked).digest() }
}
