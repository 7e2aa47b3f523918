import { v7 as uuidv7 } from 'uuid'
import { DAY_MS } from '#contract/parts/durations.ts'
import { SERVER_INVITATION_DAYS, SERVER_INVITATIONS_MAX, type ServerInvitation } from '#contract/people.ts'
import { makeToken } from '#server/collaborators/invitation-proof.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministrator, requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, notFound } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  findTaker,
  firstChanges,
  hasChange,
} from '#server/platform/changes/changes.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import {
  countOpenInvitations,
  deleteExpiredInvitations,
  deleteInvitation,
  findInvitation,
  findInvitationId,
  listOpenInvitations,
  saveServerInvitation,
} from './invitation-store.ts'
import { presentServerInvitation } from './present.ts'

/** Returns the valid invitations to this server. */
export async function listServerInvitations(deps: AppDeps, caller: Caller): Promise<ServerInvitation[]> {
  await requireAdministrator(deps.db, caller)
  const rows = await listOpenInvitations(deps.db, deps.clock(), SERVER_INVITATIONS_MAX)
  return rows.map((row) => presentServerInvitation(row, deps))
}

/**
 * Invites a person to register with a link, which is emailed if this server sends mail. An earlier link to the same email
 * becomes invalid. Throws `conflict` while registration is closed, because an invitation to
 * the server does not permit registration then.
 */
export async function inviteToServer(
  deps: AppDeps,
  caller: Caller,
  { email }: { email: string },
  change: Change,
): Promise<ServerInvitation> {
  const invited = await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const sent = await findSentInvitation(trx, email, change)
    if (sent) {
      change.wasDone(sent)
      return presentServerInvitation(sent, deps)
    }
    const { mode } = await deps.registration.read(trx)
    if (mode === 'closed') throw conflict('Registration is closed. Choose “by invitation” to invite people.')
    const now = deps.clock()
    const known = await findInvitationId(trx, email)
    if (known === undefined && (await countOpenInvitations(trx, now)) >= SERVER_INVITATIONS_MAX)
      throw conflict('There are too many open invitations. Withdraw some first.')
    const id = known ?? change.newId ?? uuidv7()
    const { token, tokenHash } = makeToken()
    const row = {
      id,
      email,
      token_encrypted: deps.tokenCipher.encrypt(token, id),
      token_hash: tokenHash,
      inviter_id: caller.userId,
      changes: firstChanges(change),
      created_at: now,
      expires_at: new Date(now.getTime() + SERVER_INVITATION_DAYS * DAY_MS),
    }
    await saveServerInvitation(trx, row)
    await recordAudit(trx, { kind: 'person_invited', actorId: caller.userId, email, now })
    await deps.emailQueues?.serverInvitations.add(trx, { id, tokenHash })
    return presentServerInvitation(row, deps)
  })
  deps.emailQueues?.serverInvitations.wake()
  return invited
}

/** Returns the invitation to this email that this change has made before. Throws `id_taken`. */
async function findSentInvitation(trx: Db, email: string, change: Change) {
  const row = await findInvitation(trx, email)
  if (row && hasChange(row, change)) return row
  return findCreated(await findTaker(trx, change.newId), 'server invitation', async () =>
    row?.id === change.newId ? row : undefined,
  )
}

/** Deletes an invitation to this server and invalidates its link. Throws `not_found`. */
export async function withdrawServerInvitation(deps: AppDeps, caller: Caller, id: string): Promise<void> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const email = await deleteInvitation(trx, id)
    if (email === undefined) throw notFound('Invitation')
    const now = deps.clock()
    await recordAudit(trx, { kind: 'invitation_withdrawn', actorId: caller.userId, email, now })
  })
}

const BATCH = 1_000
const PAUSE_MS = 60 * 60_000

/** Schedules the deletion of expired invitations. */
export const serverInvitationSweep = ({ db, clock }: Pick<AppDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of expired invitations to this server',
  everyMs: PAUSE_MS,
  run: () =>
    deleteInBatches(db, { name: 'server invitation sweep', batchSize: BATCH }, (trx) =>
      deleteExpiredInvitations(trx, clock(), BATCH),
    ),
})
