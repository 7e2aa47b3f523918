import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import { insertNotification, type NotificationValues, removeInvitationLink } from './store.ts'

/** A notification to store. `data` contains the ids that its link needs. */
export type NewNotification = Omit<NotificationValues, 'id' | 'data'> &
  Partial<Pick<NotificationValues, 'data'>>

/**
 * Stores a notification for one person in the transaction of its event, unless they muted its type. The caller publishes an
 * event to that person after the commit. `always`: also if they muted the type.
 */
export function notify(
  trx: Transaction<Schema>,
  notification: NewNotification,
  { always = false } = {},
): Promise<void> {
  return insertNotification(trx, { data: {}, ...notification, id: uuidv7() }, always)
}

/**
 * Removes the link to an invitation from all notifications, in the transaction that invalidates its token, and marks the
 * notification of the person who answered it, if any, as read.
 */
export function unlinkInvitation(
  trx: Transaction<Schema>,
  collaboratorId: string,
  answererId: string | null = null,
): Promise<void> {
  return removeInvitationLink(trx, collaboratorId, answererId)
}
