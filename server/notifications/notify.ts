import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import {
  countNews,
  insertNotification,
  type NewsValues,
  type NotificationValues,
  removeInvitationLink,
} from './store.ts'

export { isOfMember, isSeen } from './readable-store.ts'

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

/** How long the events of one kind about one thing count up one notification. */
const COUNTING_MS = 10 * 60_000

/**
 * Notifies people of the news of a project, in the transaction of the event and with one statement: an unread notification of the
 * same kind about the same thing counts up for ten minutes. The project must be locked, so that no other writer counts the same ones.
 * The caller publishes an event to each person after the commit.
 */
export function notifyEach(
  trx: Transaction<Schema>,
  userIds: string[],
  news: Omit<NewsValues, 'since'>,
): Promise<void> {
  return countNews(trx, userIds, { ...news, since: new Date(news.now.getTime() - COUNTING_MS) })
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
