import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import { insertNotification, type NotificationValues, removeInvitationLink } from './store.ts'

/** A notification to store: `data` refers to what it links to. */
export type NewNotification = Omit<NotificationValues, 'id' | 'data'> &
  Partial<Pick<NotificationValues, 'data'>>

/**
 * Stores a notification for one person, in the transaction of the event that it is about, unless they want none of its kind.
 * The caller publishes an event to that person once the transaction commits. `always`: also for somebody who wants none.
 */
export function notify(
  trx: Transaction<Schema>,
  notification: NewNotification,
  { always = false } = {},
): Promise<void> {
  return insertNotification(trx, { data: {}, ...notification, id: uuidv7() }, always)
}

/**
 * Removes the link to an invitation from all notifications, in the transaction in which its token becomes invalid, and
 * marks the notification of the person who answered it, if any, as read.
 */
export function unlinkInvitation(
  trx: Transaction<Schema>,
  collaboratorId: string,
  answererId: string | null = null,
): Promise<void> {
  return removeInvitationLink(trx, collaboratorId, answererId)
}
