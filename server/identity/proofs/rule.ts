import type { Kysely } from 'kysely'
import { PROOF_MINUTES } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { findProofTime } from './store.ts'

const PROOF_MS = PROOF_MINUTES * 60_000

/** Throws `proof_required` unless the person of a session has proved within the last ten minutes who they are. */
export type RequireProof = (caller: Caller) => Promise<void>

/** Creates the rule for all calls with `needsProof`. The time is in the database, so a proof counts for every server. */
export function createProofRule({ db, clock }: { db: Kysely<Schema>; clock: () => Date }): RequireProof {
  return async ({ sessionId }) => {
    const provenAt = await findProofTime(db, sessionId)
    if (provenAt === undefined || clock().getTime() - provenAt.getTime() > PROOF_MS) throw proofRequired()
  }
}

const proofRequired = () =>
  new AppError(
    'proof_required',
    'This needs a confirmation that it is you, because you signed in a while ago.',
  )
