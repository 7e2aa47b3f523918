import { type Kysely, sql } from 'kysely'

/**
 * The access of a person to a project, or to the project of a milestone, whose row stays locked until the transaction ends if
 * they have one of these roles. The access is read by a statement of its own after the lock was granted, because one statement
 * sees what was committed before it began; in one round trip. `granted`: the only projects that an access token allows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function lock_access(person uuid, project uuid, milestone uuid, roles text[], granted uuid[])
    returns table (
      "projectId" uuid, role text, "isPublic" boolean, bytes bigint, "timeZone" text, "isLocked" boolean)
    language plpgsql as $$
    declare
      locked boolean;
    begin
      perform from live_projects p
      left join collaborators c on c.project_id = p.id and c.user_id = person and c.status = 'accepted'
      where p.id = coalesce(project, (select m.project_id from live_milestones m where m.id = milestone))
        and (granted is null or p.id = any (granted))
        and case when p.owner_id = person then 'owner' else c.role end = any (roles)
      for no key update of p;
      locked := found;
      return query
      select p.id, case when p.owner_id = person then 'owner' else c.role end, p.is_public,
        p.text_bytes + p.file_bytes, (select u.time_zone from users u where u.id = person), locked
      from live_projects p
      left join collaborators c on c.project_id = p.id and c.user_id = person and c.status = 'accepted'
      where p.id = coalesce(project, (select m.project_id from live_milestones m where m.id = milestone));
    end $$`.execute(db)
}
