import { type RawBuilder, sql } from 'kysely'
import { preparedForReaders } from './readers.ts'
import { type PublicProject, projectColumns, publicProjects } from './store.ts'

/** The maximum number of chapters in the contents of a story; of more, every second, third and so on is listed. */
const CONTENTS_MAX = 60

/** A milestone of which a part of the story has entries, in their order. `begins`: the number of entries before it. */
type ChapterJson = {
  id: string
  title: string
  description: string
  number: number
  begins: number
  entries: string[]
}

/** A shown project with a part of its story. */
export type StoryRecord = PublicProject & {
  entry_count: number
  contents: Pick<ChapterJson, 'id' | 'title' | 'begins'>[]
  chapters: ChapterJson[]
}

/** Returns the entries of a shown project from the one at `offset` on; undefined unless the project is shown. */
export const findStory = told<{ offset: number; limit: number }, StoryRecord>(
  // Of other milestones only the counts are read, and of the entries before the part only the index.
  ({ projectId, offset, limit }, listed) => sql`
    with ${listed}
    select ${projectColumns},
      (select coalesce(sum(entry_count), 0)::integer from listed) as entry_count,
      (select coalesce(json_agg(json_build_object('id', l.id, 'title', l.title, 'begins', l.begins) order by l.number), '[]')
        from listed l where (l.number - 1) % ((l.total + ${sql.lit(CONTENTS_MAX - 1)}) / ${sql.lit(CONTENTS_MAX)}) = 0
      ) as contents,
      (select coalesce(json_agg(json_build_object('id', l.id, 'title', l.title, 'description', m.description,
          'number', l.number, 'begins', l.begins, 'entries', (
            select coalesce(json_agg(e.id order by e.happened_at, e.id), '[]') from (
              select id, happened_at from live_entries where milestone_id = l.id order by happened_at, id
              offset greatest(0, ${offset}::bigint - l.begins)
              limit greatest(0, least(l.entry_count, ${offset}::bigint + ${limit}::bigint - l.begins)
                - greatest(0, ${offset}::bigint - l.begins))) e)) order by l.number), '[]')
        from listed l join live_milestones m on m.id = l.id
        where l.begins < ${offset}::bigint + ${limit}::bigint and l.begins + l.entry_count > ${offset}::bigint
      ) as chapters
    from ${publicProjects} where p.id = ${projectId}`,
)

/** Returns how many entries precede this one in the story; undefined if it is not in it. */
export const findPlaceInStory = told<{ entryId: string }, { place: number }>(
  ({ entryId }, listed) => sql`
    with ${listed}
    select l.begins + (
      select count(*)::integer from live_entries b
      where b.milestone_id = e.milestone_id and (b.happened_at, b.id) < (e.happened_at, e.id)) as place
    from live_entries e join listed l on l.id = e.milestone_id where e.id = ${entryId}`,
)

/** Prepares a statement about the story. `listed` has the milestones with entries. */
function told<Values extends object, Row>(
  statement: (values: Values & { projectId: string }, listed: RawBuilder<unknown>) => RawBuilder<Row>,
) {
  return preparedForReaders<Values, Row>((_db, values, within) =>
    statement(
      values,
      sql`
    ${within ? sql`${within},` : sql``} listed as materialized (
      select id, title, entry_count, (row_number() over story)::integer as number,
        (sum(entry_count) over story)::integer - entry_count as begins, (count(*) over ())::integer as total
      from live_milestones where project_id = ${values.projectId} and entry_count > 0
      window story as (order by position, id))`,
    ),
  )
}
