import { sql, type Transaction } from 'kysely'
import { FORMER_MEMBER } from '#contract/account.ts'
import type { NewsKind, NotificationType } from '#contract/notifications.ts'
import { isolateBidi } from '#contract/parts/characters.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { ForgottenPerson } from '#server/feature-subjects.ts'
import { isReadable } from './readable-store.ts'

const columns = ['id', 'type', 'title', 'message', 'data', 'is_read', 'created_at', 'kind', 'count'] as const

/** A stored notification of one person. */
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

/** Whether the project of the notification, if any, still exists. */
const leadsToProject = sql<boolean>`exists (
  select from live_projects p where p.id = (data ->> 'projectId')::uuid)`.as('leads_to_project')

/** Whether readers see the entry of the notification, if any. */
const leadsToEntry = sql<boolean>`exists (
  select from live_entries e where e.id = (data ->> 'entryId')::uuid)`.as('leads_to_entry')

/** Returns a page of a person's notifications, newest first. */
export function listNotificationsOf(
  db: Db,
  userId: string,
  { unreadOnly, offset, limit }: { unreadOnly: boolean; offset: number; limit: number },
) {
  return db
    .selectFrom('notifications as n')
    .select(columns)
    .select([leadsToProject, leadsToEntry, isReadable.as('is_readable')])
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

/** Prepared, because every open page sends it twice a minute. */
const unreadOf = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('notifications')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`not is_read`),
)

/** Inserts a notification, unless the person muted its type and `always` is false. */
export async function insertNotification(
  trx: Transaction<Schema>,
  { id, userId, type, title, message, data, now }: NotificationValues,
  always: boolean,
): Promise<void> {
  await sql`
    insert into notifications (id, user_id, type, title, message, data, created_at)
    select ${id}, u.id, ${type}, ${title}, ${message}, ${JSON.stringify(data)}::jsonb, ${now}
    from users u where u.id = ${userId} and (${always} or not ${type} = any(u.muted_notifications))`.execute(
    trx,
  )
}

/** News of a project for several people. */
export type NewsValues = {
  kind: NewsKind
  /** The thing that it is about. */
  subjectId: string
  title: string
  message: string
  data: { projectId: string; projectTitle: string; milestoneId: string; entryId?: string }
  now: Date
  /** Unread notifications that were opened later count up. */
  since: Date
}

/** Counts up the unread notifications of these people, or inserts them, in the order of the ids of the people. */
export async function countNews(
  trx: Transaction<Schema>,
  userIds: string[],
  { kind, subjectId, title, message, data, now, since }: NewsValues,
): Promise<void> {
  const json = JSON.stringify(data)
  await sql`
    with people as materialized (select id from unnest(${userIds}::uuid[]) as people (id)),
    counting as materialized (
      select n.id, n.user_id from notifications n
      where n.subject_id = ${subjectId} and n.kind = ${kind} and not n.is_read and n.opened_at > ${since}
        and n.email_id is null and n.user_id in (select id from people)
      order by n.user_id for update),
    counted as (
      update notifications n set count = n.count + 1, message = ${message}, data = ${json}::jsonb, created_at = ${now}
      from counting where n.id = counting.id)
    insert into notifications (id, user_id, type, kind, subject_id, title, message, data, created_at, opened_at, mail)
    select gen_random_uuid(), u.id, 'other', ${kind}, ${subjectId}::uuid, ${title}, ${message}, ${json}::jsonb, ${now},
      ${now}, case when ${kind} = 'mention' and u.mails_mentions then 'mention' when u.news_hour is not null then 'daily' end
    from people join users u on u.id = people.id
    where u.id not in (select user_id from counting) order by u.id`.execute(trx)
}

/** Marks a notification of this person as read, even if it already is; returns false if there is none. */
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

/** Deletes a notification of this person; returns false if there is none. */
export async function deleteNotificationRow(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes the link of an invitation from its notifications, and marks those of one person as read. */
export async function removeInvitationLink(
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

/** Deletes at most `atMost` notifications from before a date, and returns their number. */
export async function deleteOlder(trx: Transaction<Schema>, before: Date, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select id from notifications where created_at < ${before} limit ${atMost} for update skip locked)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

/** Deletes at most `atMost` notifications beyond each person's newest `kept`, and returns their number. */
export async function deleteBeyond(trx: Transaction<Schema>, kept: number, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select older.id
      from (select user_id from notifications group by user_id having count(*) > ${kept}) as full_box
      cross join lateral (
        select id from notifications where user_id = full_box.user_id
        order by created_at desc, id desc offset ${kept}
      ) as older
      limit ${atMost})`.execute(trx)
  return Number(numAffectedRows)
}

/** What the messages of a type, or some of them, say of another person: `name` at their beginning, `email` before a name in brackets. */
const SAYS: { [type in NotificationType]: readonly ('name' | 'email')[] } = {
  collaboration_invite: ['name'],
  collaboration_accepted: ['name'],
  collaboration_declined: ['name'],
  collaboration_removed: [],
  role_updated: [],
  other: ['name', 'email'],
}

const typesThatSay = (part: 'name' | 'email') =>
  Object.entries(SAYS).flatMap(([type, parts]) => (parts.includes(part) ? type : []))

/** Removes a person's name and emails from the notifications of others. */
export async function forgetNamed(
  trx: Transaction<Schema>,
  { name, ownEmails }: ForgottenPerson,
): Promise<void> {
  // Notifications begin with the name as they display it.
  const shown = `${isolateBidi(name)} `
  if (name !== '')
    await sql`
      update notifications set message = ${`${FORMER_MEMBER} `} || substr(message, ${shown.length + 1})
      where type = any(${typesThatSay('name')}::text[]) and left(message, ${shown.length}) = ${shown}`.execute(
      trx,
    )
  // The notification to the owner of an account that was taken over, which names the people it was shared with.
  for (const { email } of ownEmails)
    await sql`
      update notifications set message = replace(message, ${`${email} (“`}, ${`${FORMER_MEMBER} (“`})
      where type = any(${typesThatSay('email')}::text[]) and strpos(message, ${`${email} (“`}) > 0`.execute(
      trx,
    )
}
