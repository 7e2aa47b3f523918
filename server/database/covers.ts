import { type RawBuilder, sql } from 'kysely'

/** A cover as JSON: a file with the widths that are stored of it. */
export type CoverJson = { id: string; widths: number[]; width: number; height: number }

const readyPicture = (id: ReturnType<typeof sql>) => sql<CoverJson | null>`(
  select json_build_object('id', f.id, 'widths', f.widths, 'width', f.width, 'height', f.height)
  from files f where f.id = ${id} and f.state = 'ready' and f.kind = 'image')`

/**
 * The column `cover` of the entry with this alias, if its file is ready: the chosen one or, without a choice, the first picture of
 * its text.
 */
export function coverOfEntry(alias: 'e') {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return readyPicture(sql`coalesce(${of('cover_file_id')},
    case when not ${of('no_cover')} then ${of('first_picture_id')} end)`).as('cover')
}

/**
 * The column `tint` of the project of this table, view or alias: that of its picture, for the contour lines that are shown instead of it.
 * Null without a picture, and unless `when`.
 */
export function tintOfProject(projects: 'projects' | 'live_projects' | 'p', when: RawBuilder<boolean>) {
  const of = (column: string) => sql.ref(`${projects}.${column}`)
  return sql<number | null>`case when ${when} then (
    select f.tint from files f
    where f.id = coalesce(${of('cover_file_id')}, (newest_cover(${of('id')})->>'id')::uuid)
      and f.state = 'ready' and f.kind = 'image') end`.as('tint')
}

/** Whether it is to have no cover. */
export const withoutCover = (projects: 'projects' | 'live_projects' | 'p') =>
  sql<boolean>`${sql.ref(`${projects}.no_cover`)}`

/**
 * The column `cover` of the project of this table, view or alias: the chosen one, if its file is ready, or without a choice
 * that of its newest live entry with one. It reads one milestone and one entry by index.
 */
export function coverOfProject(projects: 'projects' | 'live_projects' | 'p') {
  const of = (column: string) => sql.ref(`${projects}.${column}`)
  return sql<CoverJson | null>`case
    when ${of('cover_file_id')} is not null then ${readyPicture(sql`${of('cover_file_id')}`)}
    when not ${of('no_cover')} then newest_cover(${of('id')}) end`.as('cover')
}
