import { sql } from 'kysely'
import type { EntryQuery } from '#contract/entries.ts'
import { type Container, order } from './page-store.ts'
import { visibleTo } from './store.ts'

/** The index by date has no titles. */
const titleKey = (sort: EntryQuery['sort']) => (sort === 'title' ? sql`, title_key` : sql``)

/**
 * The parts of the statements about a project. There is no index by project: from the index of each milestone, the query reads only
 * as many entries as could be on the page.
 */
export const ofProject: Container = {
  ref: ({ id }) => ({ projectId: id }),
  total: ({ id }) => sql`(
    select coalesce(sum(entry_count), 0) from live_milestones where project_id = ${id})`,
  tagged: ({ id, tag }) => sql`(
    select coalesce(sum(t.entry_count), 0) from live_milestones m join milestone_tags t on t.milestone_id = m.id
    where m.project_id = ${id} and t.tag = ${tag})`,
  unpublished: ({ id, reader }) => sql`(
    select count(*) from live_milestones m join entries_and_drafts e on e.milestone_id = m.id
    where m.project_id = ${id} and e.author_id = ${reader}::uuid and e.state = 'draft')`,
  tags: ({ id }) => sql`array(
    select tag from (
      select distinct t.tag from live_milestones m join milestone_tags t on t.milestone_id = m.id
      where m.project_id = ${id}
    ) used order by sort_key(tag), tag)`,
  ids: ({ id, reader }, { sort, limit, offset }) => sql`
    select first.id from live_milestones m cross join lateral (
      select id, happened_at ${titleKey(sort)} from entries_and_drafts
      where milestone_id = m.id and ${visibleTo(reader)}
      order by ${order(sort)} limit ${offset} + ${sql.lit(limit)}
    ) first
    where m.project_id = ${id}
    order by ${order(sort)} limit ${sql.lit(limit)} offset ${offset}`,
  taggedIds: ({ id, tag }, { sort, limit, offset }) => sql`
    select first.entry_id id from live_milestones m cross join lateral (
      select entry_id, created_at ${titleKey(sort)} from entry_tags
      where milestone_id = m.id and tag = ${tag}
      order by ${order(sort, { date: 'created_at', id: 'entry_id' })} limit ${offset} + ${sql.lit(limit)}
    ) first
    where m.project_id = ${id}
    order by ${order(sort, { date: 'first.created_at', id: 'first.entry_id' })}
    limit ${sql.lit(limit)} offset ${offset}`,
  isWithin: ({ id }) => sql`milestone_id in (select id from live_milestones where project_id = ${id})`,
}
