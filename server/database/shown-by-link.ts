import { type RawBuilder, sql } from 'kysely'

/**
 * The views of what readers see, narrowed to what a share link shows: parts of a `with` that shadow `live_entries`, `live_milestones`
 * and `public_projects` in the statement after them. They are empty once the link is revoked or has ended, so that a statement
 * needs no other check. A link with a beginning counts and lists only milestones in which it shows an entry, and shows no cover.
 */
export const shownByLink = (linkId: RawBuilder<unknown> | string) => sql`
  link as materialized (
    select l.project_id, l.entry_id, l.from_day, l.from_entry_id, f.happened_at as from_at,
      num_nonnulls(l.entry_id, l.from_day, l.from_entry_id) > 0 as is_part
    from share_links l left join live_entries f on f.id = l.from_entry_id
    where l.id = ${linkId} and (l.expires_at is null or l.expires_at > now())),
  live_entries as not materialized (
    select e.id, e.milestone_id, e.title, e.content, e.tags, e.title_key, e.version, e.created_at, e.updated_at,
      e.happened_at, e.happened_on, e.happened_zone, e.author_id, e.author_name, e.state, e.published_at,
      e.cover_file_id, e.no_cover, e.first_picture_id
    from live_entries e cross join link l
    where (l.entry_id is null or e.id = l.entry_id)
      and (l.from_day is null or e.happened_on >= l.from_day)
      and (l.from_entry_id is null or (e.happened_at, e.id) >= (l.from_at, l.from_entry_id))),
  live_milestones as not materialized (
    select m.id, m.project_id, m.title, m.description, m.completed, m.position, m.starts_on, m.due_on, m.reached_at,
      m.version, m.created_at, m.updated_at, m.last_published_at, m.newest_cover_at,
      case when l.is_part then (select count(*)::integer from live_entries e where e.milestone_id = m.id)
        else m.entry_count end as entry_count,
      case when l.is_part then (select max(e.happened_at) from live_entries e where e.milestone_id = m.id)
        else m.newest_entry_at end as newest_entry_at
    from live_milestones m join link l on l.project_id = m.project_id
    where not l.is_part or exists (select from live_entries e where e.milestone_id = m.id)),
  public_projects as not materialized (
    select p.id, p.owner_id, p.title, p.description, p.revision, p.changed_at, p.created_at, p.updated_at,
      'private' as visibility, case when not l.is_part then p.cover_file_id end as cover_file_id,
      p.no_cover or l.is_part as no_cover,
      case when l.is_part then (select count(*)::integer from live_milestones)
        else p.milestone_count end as milestone_count,
      case when l.is_part then (select count(*)::integer from live_milestones m where m.completed)
        else p.completed_milestone_count end as completed_milestone_count
    from live_projects p join link l on l.project_id = p.id)`
