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
  findKept,
  insertKey,
  type KeptRecord,
  type KeyRef,
  saveAnswer,
} from './store.ts'

/**
 * The key of a creating call, for the one transaction that makes something (`transact`): what is made, the key and the
 * answer are saved together, or none of them.
 */
export type Once = {
  /** Takes the key, first of all. Waits while another call has it, and throws `Repeated` where that was saved. */
  begin(trx: Transaction<Schema>): Promise<void>
  /** Keeps the answer. */
  end(trx: Transaction<Schema>, answer: unknown): Promise<void>
}

/** Encrypts texts for the database, each bound to its row. */
export type Cipher = {
  encrypt: (text: string, row: string) => Buffer
  /** Null where it was encrypted for another row, or under a secret that this server no longer has. */
  decrypt: (encrypted: Buffer | null, row: string) => string | null
}

/** What a server needs to answer repeated calls. */
export type OnceDeps = { db: Kysely<Schema>; cipher: Cipher; clock: () => Date }

/** A creating call with a key; `requestHash` distinguishes it from another one with the same key. */
export type KeyedCall = KeyRef & { requestHash: Buffer }

/** The transaction found its key taken by one that has committed. */
class Repeated extends Error {
  override name = 'Repeated'
}

/**
 * Runs a creating call, or returns what it returned before under this key. Throws `key_reused` where the key was for
 * another request, and what `run` throws, which keeps no key.
 */
export async function runOnce(
  deps: OnceDeps,
  call: KeyedCall,
  run: (once: Once) => Promise<unknown>,
): Promise<unknown> {
  const kept = await findKept(deps.db, call)
  if (kept) return answerOf(deps, call, kept)
  let isKept = false
  const once: Once = {
    async begin(trx) {
      if (!(await insertKey(trx, call, { requestHash: call.requestHash, now: deps.clock() })))
        throw new Repeated()
    },
    async end(trx, answer) {
      await saveAnswer(trx, call, deps.cipher.encrypt(JSON.stringify(answer), associatedData(call)))
      isKept = true
    },
  }
  try {
    const answer = await run(once)
    if (!isKept) throw new Error(`${call.call} makes something without its key`)
    return answer
  } catch (error) {
    const twin = error instanceof Repeated ? await findKept(deps.db, call) : undefined
    if (!twin) throw error
    return answerOf(deps, call, twin)
  }
}

function answerOf({ cipher }: OnceDeps, call: KeyedCall, { request_hash, answer }: KeptRecord): unknown {
  if (!request_hash.equals(call.requestHash))
    throw new AppError(
      'key_reused',
      'This Idempotency-Key was sent with another request before. Use a new one for each new request.',
    )
  const text = cipher.decrypt(answer, associatedData(call))
  if (text === null) throw conflict('This was saved before. Look for it instead of sending it again.')
  return JSON.parse(text)
}

const associatedData = ({ userId, call, key }: KeyRef) => `answer ${userId} ${call} ${key}`

/** How many keys of an account are kept, and for how long. */
const KEPT = 1_000
const KEPT_MS = 24 * 60 * 60_000

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Removes the keys that are older than a day, and those of an account beyond the newest, a batch at a time. */
export async function sweepKeys(db: Kysely<Schema>, now: Date, kept = KEPT): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS)
  await deleteInBatches(db, { name: 'key sweep', batchSize: BATCH }, async (trx) =>
    Math.max(await deleteOlder(trx, before, BATCH), await deleteBeyond(trx, kept, BATCH)),
  )
}

/** Removes old keys at regular intervals. */
export const keySweep = ({ db, clock }: Pick<OnceDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of old keys',
  everyMs: PAUSE_MS,
  run: () => sweepKeys(db, clock()),
})

/** The headers of a creating call. Those without a name here stay as they are. */
export const creatingHeaders = z.looseObject({ 'idempotency-key': idempotencyKey.optional() })

/** Returns the key of a creating call with the hash of all that it asks for; undefined without a key. */
export function keyedCallOf(request: FastifyRequest, call: string): KeyedCall | undefined {
  const { caller, params, body, upload, headers } = request
  const { 'idempotency-key': key } = headers
  if (typeof key !== 'string' || !caller) return undefined
  // What one access token made is no answer to another one, which may be for other projects.
  const asked = JSON.stringify([params, body, upload?.digest, ...(caller.grant ? [caller.sessionId] : [])])
  return { userId: caller.userId, call, key, requestHash: createHash('sha256').update(asked).digest() }
}
