import type { Kysely } from 'kysely'
import {
  NOTIFICATIONS_PER_PAGE,
  type Notification,
  type NotificationPage,
  type NotificationQuery,
} from '#contract/notifications.ts'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { messageOf, UNREADABLE } from './message.ts'
import {
  countNotificationsOf,
  countUnreadOf,
  deleteBeyond,
  deleteNotificationRow,
  deleteOlder,
  listNotificationsOf,
  markAllReadOf,
  markReadRow,
  type NotificationRecord,
} from './store.ts'

export type ReadTokens = NonNullable<Feature['invitationTokens']>
const withoutTokens: ReadTokens = async () => new Map()

/** Returns how the invitations are read to which notifications link, by the feature that has them. */
export const tokenReaderOf = (features: readonly Feature[]): ReadTokens =>
  features.find(({ invitationTokens }) => invitationTokens)?.invitationTokens ?? withoutTokens

/** Returns a page of the caller's notifications, newest first, in one consistent view. */
export function listNotifications(
  deps: AppDeps,
  { userId }: Caller,
  { page, unreadOnly }: NotificationQuery,
  readTokens: ReadTokens,
): Promise<NotificationPage> {
  return inSnapshot(deps.db, async (db) => {
    const unreadCount = await countUnreadOf(db, userId)
    const total = unreadOnly ? unreadCount : await countNotificationsOf(db, userId)
    const pagination = paginate(total, { page, limit: NOTIFICATIONS_PER_PAGE })
    const range = { unreadOnly, offset: offsetOf(pagination), limit: NOTIFICATIONS_PER_PAGE }
    const rows = await listNotificationsOf(db, userId, range)
    const invitationIds = rows.flatMap(({ data }) => data.collaboratorId ?? [])
    const tokens = await readTokens(deps, db, userId, invitationIds)
    const notifications = rows.map((row) =>
      presentNotification(row, tokens.get(row.data.collaboratorId ?? '')),
    )
    return { notifications, unreadCount, pagination }
  })
}

/** Presents a notification. `inviteToken` belongs to an invitation that its reader may answer. */
function presentNotification(row: NotificationRecord, inviteToken?: string): Notification {
  const { projectId, milestoneId, entryId } = row.is_readable ? row.data : {}
  return {
    _id: row.id,
    type: row.type,
    title: row.title,
    message: row.is_readable ? messageOf(row) : UNREADABLE,
    isRead: row.is_read,
    createdAt: row.created_at.toISOString(),
    ...(row.kind && { kind: row.kind, count: row.count }),
    data: {
      ...(inviteToken !== undefined && { inviteToken }),
      ...(projectId !== undefined && row.leads_to_project && { projectId }),
      ...(milestoneId !== undefined && row.leads_to_project && { milestoneId }),
      ...(entryId !== undefined && row.count === 1 && row.leads_to_entry && { entryId }),
    },
  }
}

/** Returns the number of the caller's unread notifications. */
export async function countUnread({ db }: AppDeps, { userId }: Caller): Promise<{ count: number }> {
  return { count: await countUnreadOf(db, userId) }
}

/** Marks one of the caller's notifications as read; repeating it has no effect. Throws `not_found`. */
export async function markNotificationRead(
  { db, events }: AppDeps,
  { userId }: Caller,
  id: string,
): Promise<void> {
  if (!(await markReadRow(db, userId, id))) throw notFound('Notification')
  events.publish({ person: userId })
}

/** Marks all of the caller's notifications as read. */
export async function markAllNotificationsRead({ db, events }: AppDeps, { userId }: Caller): Promise<void> {
  await markAllReadOf(db, userId)
  events.publish({ person: userId })
}

/** Deletes one of the caller's notifications. Throws `not_found`. */
export async function deleteNotification(
  { db, events }: AppDeps,
  { userId }: Caller,
  id: string,
): Promise<void> {
  if (!(await deleteNotificationRow(db, userId, id))) throw notFound('Notification')
  events.publish({ person: userId })
}

type Deps = { db: Kysely<Schema>; clock: () => Date }

/** The maximum number and age of a person's stored notifications. */
export const NOTIFICATIONS_MAX = 500
export const RETENTION_DAYS = 180

const BATCH = 1_000
const PAUSE_MS = 60 * 60_000

/** Deletes old notifications, and those beyond each person's maximum, in batches. */
export async function sweepNotifications(db: Kysely<Schema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_DAYS * 24 * 60 * 60_000)
  await deleteInBatches(db, { name: 'notification sweep', batchSize: BATCH }, async (trx) =>
    Math.max(await deleteOlder(trx, before, BATCH), await deleteBeyond(trx, NOTIFICATIONS_MAX, BATCH)),
  )
}

/** Returns all notifications for the download of all data. Omits the links of invitations, because anybody with a link can join. */
export async function* exportNotifications(deps: AppDeps, caller: Caller): AsyncGenerator<Notification> {
  for (let page = 1; ; page += 1) {
    const range = { page, unreadOnly: false }
    const { notifications, pagination } = await listNotifications(deps, caller, range, withoutTokens)
    yield* notifications
    if (!pagination.hasNext) return
  }
}

/** Schedules the cleanup of notifications. */
export const notificationSweep = ({ db, clock }: Deps): ScheduledTask => ({
  name: 'removal of old notifications',
  everyMs: PAUSE_MS,
  run: () => sweepNotifications(db, clock()),
})
