import { type Kysely, sql } from 'kysely'

/**
 * The pictures of people: small, so that they are rows and go with their account in its transaction. They count towards the
 * quota of the account, and raise the revision of the projects in which public pages may show them, by a new id each time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profile_pictures (
      user_id uuid primary key references users on delete cascade,
      id uuid not null unique,
      bytes bytea not null check (octet_length(bytes) <= 1000000)
    )`.execute(db)
  await sql`
    create function profile_picture_changed() returns trigger language plpgsql as $$
    declare
      person uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
      growth bigint := case when tg_op = 'DELETE' then 0 else octet_length(new.bytes) end
        - case when tg_op = 'INSERT' then 0 else octet_length(old.bytes) end;
      written uuid[] := array(
        select distinct m.project_id from entries e join milestones m on m.id = e.milestone_id
        where e.author_id = person order by 1);
    begin
      perform from projects where id = any (written) order by id for no key update;
      update projects set revision = revision + 1 where id = any (written);
      if tg_op = 'DELETE' then
        update storage_usage set file_bytes = file_bytes + growth where user_id = person;
      else
        insert into storage_usage as u (user_id, text_bytes, file_bytes) values (person, 0, growth)
        on conflict (user_id) do update set file_bytes = u.file_bytes + excluded.file_bytes;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger profile_picture_changed after insert or update or delete on profile_pictures
    for each row execute function profile_picture_changed()`.execute(db)
}
