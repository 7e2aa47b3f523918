import { type Kysely, sql } from 'kysely'

/**
 * The images of entries. Each file in the store has its row here from before it is written until after it is gone,
 * so that none is ever lost sight of: `remove_after` is set unless an entry shows the image, and triggers keep it so
 * in the transaction of the entry's change, cascades included.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table images (id uuid primary key, remove_after timestamptz)`.execute(db)
  await sql`create index images_removable on images (remove_after) where remove_after is not null`.execute(db)

  await sql`
    alter table entries
    add column image_id uuid unique references images,
    add column image_width integer,
    add column image_height integer,
    add check (num_nulls(image_id, image_width, image_height) in (0, 3))`.execute(db)

  await sql`
    create function entry_images_changed() returns trigger language plpgsql as $$
    declare
      shown uuid[] := '{}';
      hidden uuid[] := '{}';
    begin
      if tg_op <> 'DELETE' then
        shown := array(select image_id from new_rows where image_id is not null);
      end if;
      if tg_op <> 'INSERT' then
        hidden := array(select image_id from old_rows where image_id is not null and image_id <> all (shown));
      end if;
      update images set remove_after = now() where id = any (hidden);
      update images set remove_after = null where id = any (shown) and remove_after is not null;
      return null;
    end $$`.execute(db)
  await sql`create trigger imaged_insert after insert on entries referencing new table as new_rows
    for each statement execute function entry_images_changed()`.execute(db)
  await sql`create trigger imaged_delete after delete on entries referencing old table as old_rows
    for each statement execute function entry_images_changed()`.execute(db)
  await sql`create trigger imaged_update after update on entries referencing old table as old_rows new table as new_rows
    for each statement execute function entry_images_changed()`.execute(db)
}
