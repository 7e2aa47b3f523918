import { sql } from 'kysely'
import { type CoverJson, coverOfProject, tintOfProject, withoutCover } from '#server/database/covers.ts'
import { type LastEntryRecord, lastEntryOf } from '#server/database/last-entry.ts'
import { prepared } from '#server/database/prepared.ts'

/** How many of its members and milestones an invitation names. */
const NAMED = 5

type Row = {
  members: (string | null)[]
  member_count: number
  milestones: { title: string; completed: boolean }[]
  milestone_count: number
  last_entry: LastEntryRecord | null
  cover: CoverJson | null
  tint: number | null
}

/** What an invitation tells of its project. */
export const invitedProject = prepared((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('live_projects as p')
    .select([
      sql<Row['members']>`(select json_agg(m.name) from (
        select u.name from users u where u.id = p.owner_id
        union all (
          select u.name from collaborators c join users u on u.id = c.user_id
          where c.project_id = p.id and c.status = 'accepted'
          order by c.created_at, c.id limit ${sql.lit(NAMED - 1)})) m)`.as('members'),
      sql<number>`(select 1 + count(*) from collaborators c
        where c.project_id = p.id and c.status = 'accepted')::integer`.as('member_count'),
      sql<
        Row['milestones']
      >`(select coalesce(json_agg(json_build_object('title', m.title, 'completed', m.completed)
          order by m.position, m.id), '[]')
        from (select id, title, completed, position from live_milestones where project_id = p.id
          order by position desc, id desc limit ${sql.lit(NAMED)}) m)`.as('milestones'),
      'p.milestone_count',
    ])
    .select([lastEntryOf('p.id'), coverOfProject('p'), tintOfProject('p', withoutCover('p'))])
    .where('p.id', '=', projectId),
)
