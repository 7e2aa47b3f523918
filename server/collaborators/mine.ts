import type { Collaboration, CollaborationQuery } from '#contract/collaborators.ts'
import type { Pagination } from '#contract/pagination.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { Parts } from '#server/parts.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import { offsetOf, paginate } from '#server/platform/pagination.ts'
import { addressProof } from './invitee.ts'
import { presentCollaboration } from './present.ts'
import { countMine, findPerson, listMine } from './store.ts'

/** A page of the projects that the caller is or was invited to, the newest invitation first. */
export function listMyCollaborations(
  parts: Parts,
  { userId }: Caller,
  { page, limit, search, status }: CollaborationQuery,
): Promise<{ collaborations: Collaboration[]; pagination: Pagination }> {
  const viewer = { tokens: parts.tokenCipher, now: parts.clock() }
  return inSnapshot(parts.db, async (db) => {
    const person = await findPerson(db, userId)
    if (!person) throw notSignedIn()
    const mine = { userId, email: person.email, proof: addressProof(parts, person), search, status }
    const pagination = paginate(await countMine(db, mine), { page, limit })
    const rows = await listMine(db, mine, { offset: offsetOf(pagination), limit })
    return { collaborations: rows.map((row) => presentCollaboration(row, viewer)), pagination }
  })
}
