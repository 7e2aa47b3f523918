import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'
import type { Source, Thing } from './items.ts'

/** Returns what an import has created, by its ref. */
export function listItems(db: Db, importId: string) {
  return db
    .selectFrom('import_items')
    .select(['ref', 'kind', 'target_id'])
    .where('import_id', '=', importId)
    .execute()
}

/** Returns what imports of this person from this source have brought before and they may still edit, by its id at the source. */
export async function findHere(
  db: Db,
  { userId, source }: { userId: string; source: Source },
  keys: string[],
) {
  const { rows } = await sql<{ source_id: string; kind: string; target_id: string }>`
    select distinct on (t.source_id, t.kind) t.source_id, t.kind, t.target_id
    from import_items t join imports i on i.id = t.import_id
    where t.source_id = any(${keys}::text[]) and i.user_id = ${userId} and i.source = ${source} and t.kind <> 'file'
      and exists (
        select from live_projects p
        where p.id = case t.kind
            when 'project' then t.target_id
            when 'milestone' then (select m.project_id from live_milestones m where m.id = t.target_id)
            else (
              select m.project_id from entries_and_drafts e join live_milestones m on m.id = e.milestone_id
              where e.id = t.target_id)
          end
          and (p.owner_id = ${userId} or exists (
            select from collaborators c
            where c.project_id = p.id and c.user_id = ${userId} and c.status = 'accepted' and c.role <> 'viewer')))
    order by t.source_id, t.kind, i.created_at desc`.execute(db)
  return rows
}

/** Returns which of these ids something has or had. */
export async function findTaken(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) id where taken_by(id) is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the title and the project of things that still exist, also in the trash. */
export async function listNamed(db: Db, kind: Thing['kind'], ids: string[]) {
  const { rows } = await sql<{ id: string; title: string; project_id: string }>`${NAMED[kind](ids)}`.execute(
    db,
  )
  return rows
}

const NAMED: Record<Thing['kind'], (ids: string[]) => ReturnType<typeof sql>> = {
  entry: (ids) => sql`
    select e.id, e.title, m.project_id from entries e join milestones m on m.id = e.milestone_id where e.id = any(${ids}::uuid[])`,
  milestone: (ids) => sql`select id, title, project_id from milestones where id = any(${ids}::uuid[])`,
  project: (ids) => sql`select id, title, id as project_id from projects where id = any(${ids}::uuid[])`,
  file: (ids) =>
    sql`select id, name as title, project_id from files where id = any(${ids}::uuid[]) and project_id is not null`,
}
