import { sql, type Transaction } from 'kysely'
import type { NotificationType } from '#contract/notifications.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

const columns = ['id', 'type', 'title', 'message', 'data', 'is_read', 'created_at'] as const

/** What is kept of an event for one person. */
export type NotificationValues = {
  id: string
  userId: string
  type: NotificationType
  title: string
  message: string
  data: { collaboratorId?: string; projectId?: string }
  now: Date
}

export type NotificationRecord = Awaited<ReturnType<typeof listNotificationsOf>>[number]

/** A stretch of a person's notifications, newest first. */
export function listNotificationsOf(
  db: Db,
  userId: string,
  { unreadOnly, offset, limit }: { unreadOnly: boolean; offset: number; limit: number },
) {
  return db
    .selectFrom('notifications')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(unreadOnly, (query) => query.where(sql<boolean>`not is_read`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

export async function countNotificationsOf(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function countUnreadOf(db: Db, userId: string): Promise<number> {
  return (await unreadOf.first(db, { userId }))?.count ?? 0
}

/** Every open page asks twice a minute. */
const unreadOf = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('notifications')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`not is_read`),
)

export async function insertNotification(
  trx: Transaction<Schema>,
  values: NotificationValues,
): Promise<void> {
  await trx
    .insertInto('notifications')
    .values({
      id: values.id,
      user_id: values.userId,
      type: values.type,
      title: values.title,
      message: values.message,
      data: JSON.stringify(values.data),
      created_at: values.now,
    })
    .execute()
}

/** Marks a notification of this person as read, also one that is; false if there was none. */
export async function markReadRow(db: Db, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ is_read: true })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function markAllReadOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ is_read: true })
    .where('user_id', '=', userId)
    .where(sql<boolean>`not is_read`)
    .execute()
}

/** Deletes a notification of this person; false if there was none. */
export async function deleteNotificationRow(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Makes every notification of an invitation lead nowhere; those of one person are read by it. */
export async function dropInvitation(
  trx: Transaction<Schema>,
  collaboratorId: string,
  readerId: string | null,
): Promise<void> {
  await trx
    .updateTable('notifications')
    .set({
      data: sql`data - 'collaboratorId'`,
      is_read: sql<boolean>`is_read or user_id is not distinct from ${readerId}`,
    })
    .where(sql<string>`data ->> 'collaboratorId'`, '=', collaboratorId)
    .execute()
}
