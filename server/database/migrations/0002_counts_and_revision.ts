import { type Kysely, sql } from 'kysely'

/**
 * Keeps `projects.revision` and the counts true in the transaction of the change itself, cascades and bulk
 * loads included. Statement triggers, so that ten thousand rows in one statement cost one update.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function project_changed() returns trigger language plpgsql as $$
    begin
      new.revision := old.revision + 1;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger project_changed before update on projects
    for each row execute function project_changed()`.execute(db)

  await sql`
    create function milestones_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update projects p set
          milestone_count = milestone_count + d.total, completed_milestone_count = completed_milestone_count + d.done
        from (select project_id, count(*) total, count(*) filter (where completed) done
              from new_rows group by project_id) d
        where p.id = d.project_id;
      elsif tg_op = 'DELETE' then
        update projects p set
          milestone_count = milestone_count - d.total, completed_milestone_count = completed_milestone_count - d.done
        from (select project_id, count(*) total, count(*) filter (where completed) done
              from old_rows group by project_id) d
        where p.id = d.project_id;
      else
        update projects p set completed_milestone_count = completed_milestone_count + d.done
        from (select n.project_id, count(*) filter (where n.completed) - count(*) filter (where o.completed) done
              from new_rows n join old_rows o using (id) group by n.project_id) d
        where p.id = d.project_id;
      end if;
      return null;
    end $$`.execute(db)
  await onEachStatement(db, 'milestones')

  await sql`
    create function entries_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update milestones m set entry_count = entry_count + d.total
        from (select milestone_id, count(*) total from new_rows group by milestone_id) d where m.id = d.milestone_id;
      elsif tg_op = 'DELETE' then
        update milestones m set entry_count = entry_count - d.total
        from (select milestone_id, count(*) total from old_rows group by milestone_id) d where m.id = d.milestone_id;
      else
        update milestones m set entry_count = entry_count
        where m.id in (select milestone_id from new_rows);
      end if;
      return null;
    end $$`.execute(db)
  await onEachStatement(db, 'entries')
}

/** An update of an entry touches its milestone and so, by that table's trigger, its project's revision. */
async function onEachStatement(db: Kysely<unknown>, table: 'milestones' | 'entries'): Promise<void> {
  const on = sql.table(table)
  const run = sql.ref(`${table}_changed`)
  await sql`create trigger counted_insert after insert on ${on} referencing new table as new_rows
    for each statement execute function ${run}()`.execute(db)
  await sql`create trigger counted_delete after delete on ${on} referencing old table as old_rows
    for each statement execute function ${run}()`.execute(db)
  await sql`create trigger counted_update after update on ${on} referencing old table as old_rows new table as new_rows
    for each statement execute function ${run}()`.execute(db)
}
