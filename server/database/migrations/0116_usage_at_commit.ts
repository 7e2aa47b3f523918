import { type Kysely, sql } from 'kysely'

/**
 * A change counts towards its owner's storage when it commits, or when it asks whether the owner has room (`settled_usage`): the row of
 * the owner is then locked for the end of a transaction, and not for most of it, while everybody who writes in the owner's projects waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'delete', 'update'])
    await sql`drop trigger ${sql.id(`counted_${event}`)} on projects`.execute(db)
  await sql`drop function projects_counted`.execute(db)
  // An owner who was deleted has no row, and needs none.
  await sql`
    create function project_counted() returns trigger language plpgsql as $$
    begin
      insert into storage_usage as u (user_id, text_bytes, file_bytes)
      select c.owner, sum(c.text), sum(c.files)
      from (values (new.owner_id, new.text_bytes, new.file_bytes), (old.owner_id, -old.text_bytes, -old.file_bytes))
        c (owner, text, files)
      join users on users.id = c.owner
      group by c.owner order by c.owner
      on conflict (user_id) do update set
        text_bytes = u.text_bytes + excluded.text_bytes, file_bytes = u.file_bytes + excluded.file_bytes;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger counted after insert or delete on projects deferrable initially deferred
    for each row execute function project_counted()`.execute(db)
  await sql`
    create constraint trigger counted_again after update on projects deferrable initially deferred
    for each row when ((old.owner_id, old.text_bytes, old.file_bytes) is distinct from (new.owner_id, new.text_bytes, new.file_bytes))
    execute function project_counted()`.execute(db)
  await sql`
    create function settled_usage(project uuid)
    returns table ("ownerId" uuid, "ownerQuota" bigint, "projectBytes" bigint, "ownerBytes" bigint)
    language plpgsql as $$
    begin
      set constraints counted, counted_again immediate;
      return query
      select p.owner_id, o.quota_bytes, p.text_bytes + p.file_bytes, u.text_bytes + u.file_bytes
      from projects p join storage_usage u on u.user_id = p.owner_id join users o on o.id = p.owner_id
      where p.id = project;
    end $$`.execute(db)
}
