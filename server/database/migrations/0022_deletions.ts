import { type Kysely, sql } from 'kysely'

/**
 * What was deleted together, as one row beside the marks that 0018 added: what the trash lists, restores and purges. It
 * refers to what was deleted and goes with it, whichever release deletes that for good.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deletions (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      milestone_id uuid references milestones on delete cascade,
      entry_id uuid references entries on delete cascade,
      deleted_at timestamptz not null,
      deleted_by uuid references users on delete set null,
      milestones integer not null,
      entries integer not null,
      purged_at timestamptz,
      check (entry_id is null or milestone_id is not null)
    )`.execute(db)
  await sql`create index deletions_project on deletions (project_id, deleted_at desc, id desc)`.execute(db)
  await sql`create index deletions_milestone on deletions (milestone_id) where milestone_id is not null`.execute(
    db,
  )
  await sql`create index deletions_entry on deletions (entry_id) where entry_id is not null`.execute(db)
  await sql`create index deletions_deleted_by on deletions (deleted_by) where deleted_by is not null`.execute(
    db,
  )
  await sql`create index deletions_due on deletions (deleted_at, id)`.execute(db)
  await sql`create index deletions_purged on deletions (purged_at) where purged_at is not null`.execute(db)
  // A reader's own drafts are counted among what was deleted with a milestone; nobody else's are.
  await sql`
    create index entries_deleted_drafts on entries (deletion_id, author_id)
    where state = 'draft' and deletion_id is not null`.execute(db)
  await recordMarks(db)
  await searchLiveEntries(db)
}

/**
 * What is deleted leaves the index of searches, which only live rows were ever searched by. To write 100,000 texts into it
 * again, only because they are marked, would take minutes.
 */
async function searchLiveEntries(db: Kysely<unknown>) {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indexrelid = to_regclass('entries_search')`.execute(db)
  for (const { definition } of rows) {
    await sql`set local maintenance_work_mem = '128MB'`.execute(db)
    await sql`drop index entries_search`.execute(db)
    await sql.raw(`${definition} where deleted_at is null`).execute(db)
  }
}

/** The highest row with a deletion id is what was deleted; those below it went with it. */
async function recordMarks(db: Kysely<unknown>) {
  const published = sql`(select count(*) from entries e where e.deletion_id = d.deletion_id and e.state = 'published')`
  await sql`
    insert into deletions (id, project_id, deleted_at, deleted_by, milestones, entries)
    select d.deletion_id, d.id, d.deleted_at, d.deleted_by,
      (select count(*) from milestones m where m.deletion_id = d.deletion_id), ${published}
    from projects d where d.deletion_id is not null`.execute(db)
  await sql`
    insert into deletions (id, project_id, milestone_id, deleted_at, deleted_by, milestones, entries)
    select d.deletion_id, d.project_id, d.id, d.deleted_at, d.deleted_by, 1, ${published}
    from milestones d join projects p on p.id = d.project_id
    where d.deletion_id is not null and p.deletion_id is distinct from d.deletion_id`.execute(db)
  await sql`
    insert into deletions (id, project_id, milestone_id, entry_id, deleted_at, deleted_by, milestones, entries)
    select d.deletion_id, m.project_id, m.id, d.id, d.deleted_at, d.deleted_by, 0, (d.state = 'published')::integer
    from entries d join milestones m on m.id = d.milestone_id
    where d.deletion_id is not null and m.deletion_id is distinct from d.deletion_id`.execute(db)
}
