import { sql } from 'kysely'
import type { LastEntry } from '#contract/projects.ts'

/** The entry of a project that was published last, as the database returns it in a column. */
export type LastEntryRecord = { id: string; milestone: string; title: string; publishedAt: string }

/**
 * A column with the entry of the project that was published last; `project` is the column with the project's id. It reads
 * one milestone and one entry by index.
 */
export function lastEntryOf(project: string) {
  return sql<LastEntryRecord | null>`(
    select json_build_object(
      'id', e.id, 'milestone', e.milestone_id, 'title', e.title, 'publishedAt', e.published_at)
    from (
      select m.id from live_milestones m
      where m.project_id = ${sql.ref(project)} and m.last_published_at is not null
      order by m.last_published_at desc limit 1
    ) latest
    join lateral (
      select e.id, e.milestone_id, e.title, e.published_at from live_entries e
      where e.milestone_id = latest.id order by e.published_at desc, e.id desc limit 1
    ) e on true)`.as('last_entry')
}

/** Presents the last entry of a project; null without one. */
export function presentLastEntry(last: LastEntryRecord | null): LastEntry | null {
  if (!last) return null
  const { id, milestone, title, publishedAt } = last
  return { _id: id, milestone, title, publishedAt: new Date(publishedAt).toISOString() }
}
