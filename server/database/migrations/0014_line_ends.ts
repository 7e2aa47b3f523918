import { type Kysely, type RawBuilder, sql } from 'kysely'

/** As many rows as one statement changes: its triggers keep a copy of each. */
const BATCH = 1_000

type Table = 'milestones' | 'entries'

/** Stores every line end as LF, in place of the CRLF and CR of browsers' forms. Versions and dates stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update users set name = ${mended('name')} where ${hasReturn('name')}`.execute(db)
  await sql`update identity."user" set name = ${mended('name')} where ${hasReturn('name')}`.execute(db)
  await sql`
    update notifications set title = ${mended('title')}, message = ${mended('message')}
    where ${hasReturn('title')} or ${hasReturn('message')}`.execute(db)
  await sql`
    update projects set title = ${mended('title')}, description = ${mended('description')}
    where ${hasReturn('title')} or ${hasReturn('description')}`.execute(db)
  await inBatches(db, 'milestones', {
    wanted: sql`${hasReturn('title')} or ${hasReturn('description')}`,
    change: sql`title = ${mended('title')}, description = ${mended('description')}`,
  })
  await inBatches(db, 'entries', {
    wanted: sql`${hasReturn('title')} or ${hasReturn('content')} or ${tagsHaveReturn}`,
    change: sql`title = ${mended('title')}, content = ${mended('content')},
      tags = case when ${tagsHaveReturn} then ${mendedTags} else tags end`,
  })
}

const hasReturn = (column: string) => sql<boolean>`strpos(${sql.ref(column)}, chr(13)) > 0`

const mended = (column: string) =>
  sql<string>`replace(replace(${sql.ref(column)}, chr(13) || chr(10), chr(10)), chr(13), chr(10))`

const tagsHaveReturn = sql<boolean>`strpos(array_to_string(tags, ''), chr(13)) > 0`

/** Two tags may have become one; it keeps the first one's place. */
const mendedTags = sql<string[]>`array(
  select ${mended('tag')} from unnest(tags) with ordinality as written (tag, place) group by 1 order by min(place))`

/** Walks through a table by its key. */
async function inBatches(
  db: Kysely<unknown>,
  table: Table,
  { wanted, change }: { wanted: RawBuilder<unknown>; change: RawBuilder<unknown> },
): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where id > ${last} and (${wanted}) order by id limit ${BATCH}`.execute(
      db,
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await lockProjects(db, table, ids)
    await sql`update ${sql.table(table)} set ${change} where id = any(${ids}::uuid[])`.execute(db)
    last = ids.at(-1) ?? last
  }
}

/** In the order of every writer, the project before what lies under it: another server may still be at work. */
async function lockProjects(db: Kysely<unknown>, table: Table, ids: string[]): Promise<void> {
  const milestones =
    table === 'milestones'
      ? sql`${ids}::uuid[]`
      : sql`array(select milestone_id from entries where id = any(${ids}::uuid[]))`
  await sql`
    select id from projects where id in (select project_id from milestones where id = any(${milestones}))
    order by id for no key update`.execute(db)
}
