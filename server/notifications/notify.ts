import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import { dropInvitation, insertNotification, type NotificationValues } from './store.ts'

/** What somebody is to be told: `data` holds where it leads. */
export type Notice = Omit<NotificationValues, 'id' | 'data'> & Partial<Pick<NotificationValues, 'data'>>

/**
 * Keeps a notification for one person, in the transaction of the event that it tells of. Whoever calls it
 * tells the person by `events` once that transaction stands.
 */
export function notify(trx: Transaction<Schema>, notice: Notice): Promise<void> {
  return insertNotification(trx, { data: {}, ...notice, id: uuidv7() })
}

/**
 * Has no notification lead to an invitation any longer, in the transaction in which its token dies. For the one who
 * answered it, if somebody did, what told of it is read.
 */
export function unlinkInvitation(
  trx: Transaction<Schema>,
  collaboratorId: string,
  answererId: string | null = null,
): Promise<void> {
  return dropInvitation(trx, collaboratorId, answererId)
}
