import { sql } from 'kysely'
import type { Stats } from '#contract/stats.ts'
import type { Db } from '#server/database/rows.ts'

/** Counts projects, milestones and entries. */
export async function countContent(db: Db): Promise<Stats> {
  const counted = await sql<Stats>`
    select (select count(*) from live_projects) as projects,
           (select count(*) from live_milestones) as milestones,
           (select count(*) from live_entries) as entries`.execute(db)
  return counted.rows[0] ?? { projects: 0, milestones: 0, entries: 0 }
}

/** Counts the people who have signed in at least once. */
export async function countPeople(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
