import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { mayBeMailed } from '#server/collaborators/emails.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { isUnderLimit, type Limit } from '#server/platform/limits/limits.ts'
import { deleteFollowerOf, insertFollowerOf } from './store.ts'

/** People of circles whom one person may have asked by email in an hour. */
const OF_ASKING: Limit = { name: 'people asked into circles', calls: 60, seconds: 60 * 60 }

type Person = { projectId: string; linkId: string; email: string | null; caller: Caller }

/**
 * Asks the person of a share link whether they want to be emailed the news of what it shows, at another address than before; `null`
 * forgets the address. Like invitations, emails are limited for each mailbox, and whoever asks does not learn when it is reached.
 */
export async function setPersonEmail(
  { emailQueues, clock }: Pick<AppDeps, 'emailQueues' | 'clock'>,
  trx: Transaction<Schema>,
  { projectId, linkId, email, caller }: Person,
): Promise<void> {
  await deleteFollowerOf(trx, linkId, email)
  if (email === null) return
  const id = await insertFollowerOf(trx, { projectId, linkId, email })
  if (id === undefined || !emailQueues) return
  const counting = { trx, now: clock() }
  if (
    (await isUnderLimit(counting, OF_ASKING, caller.userId)) &&
    (await mayBeMailed(counting, { email, inviterId: caller.userId }))
  )
    await emailQueues.followers.add(trx, { confirm: id, message: randomUUID() })
}
