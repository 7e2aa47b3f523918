import type { Collaboration, CollaborationQuery } from '#contract/collaborators.ts'
import type { Pagination } from '#contract/pagination.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { offsetOf, paginate } from '#server/platform/pagination.ts'
import { addressProof } from './invitee.ts'
import { presentCollaboration } from './present.ts'
import { countMine, findPerson, listMine } from './store.ts'

/** Who asks, whose concurrent work that counts as, and what bounds it where it is a search. */
type Asking = { caller: Caller; client: string; search: RunSearch }

/** A page of the projects that the caller is or was invited to, the newest invitation first. */
export function listMyCollaborations(
  deps: AppDeps,
  { caller: { userId }, client, search: runSearch }: Asking,
  { page, limit, search, status }: CollaborationQuery,
): Promise<{ collaborations: Collaboration[]; pagination: Pagination }> {
  const viewer = { tokens: deps.tokenCipher, now: deps.clock() }
  const read = async (db: Db) => {
    const person = await findPerson(db, userId)
    if (!person) throw notSignedIn()
    const mine = { userId, email: person.email, proof: addressProof(deps, person), search, status }
    const pagination = paginate(await countMine(db, mine), { page, limit })
    const rows = await listMine(db, mine, { offset: offsetOf(pagination), limit })
    return { collaborations: rows.map((row) => presentCollaboration(row, viewer)), pagination }
  }
  return search ? runSearch(client, read) : inSnapshot(deps.db, read)
}
