import { type Kysely, sql } from 'kysely'

/** The indexes by which unread notifications are paged, those of an invitation found, and old ones swept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index notifications_unread`.execute(db)
  await sql`
    create index notifications_unread on notifications (user_id, created_at desc, id desc)
    where not is_read`.execute(db)
  await sql`
    create index notifications_invitation on notifications ((data ->> 'inviteToken'))
    where data ->> 'inviteToken' is not null`.execute(db)
  await sql`create index notifications_age on notifications (created_at)`.execute(db)
}
