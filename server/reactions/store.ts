import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Reaction, ReactionKind } from '#contract/reactions.ts'
import { offers } from '#server/database/offered.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { shownByLink } from '#server/database/shown-by-link.ts'

/** An entry of a public project, or with `linkId` of a project that this share link shows. */
export type ShownEntry = { projectId: string; entryId: string; linkId?: string }

/** The year of the database, whose clock all servers share. */
const YEAR = sql<number>`extract(year from now() at time zone 'UTC')::integer`

/** The entry `e` of the project `p`, if readers see it and can react to it. */
const shownEntry = ({ projectId, entryId }: ShownEntry) => sql`
  public_projects p join live_milestones m on m.project_id = p.id join live_entries e on e.milestone_id = m.id
  where p.id = ${projectId} and e.id = ${entryId} and ${offers('reactions', 'p.id')}`

/** Begins a statement about an entry as a share link shows it. */
const within = ({ linkId }: ShownEntry) => (linkId === undefined ? sql`` : sql`with ${shownByLink(linkId)}`)

/** Returns the salt of the year; undefined if nobody has reacted in it. */
export async function findSalt(db: Db): Promise<Buffer | undefined> {
  const { rows } = await sql<{ salt: Buffer }>`select salt from reaction_salts where year = ${YEAR}`.execute(
    db,
  )
  return rows[0]?.salt
}

/** Returns the salt of the year, which is this one if it has none. */
export async function findOrAddSalt(trx: Transaction<Schema>, salt: Buffer): Promise<Buffer> {
  await sql`insert into reaction_salts (year, salt) values (${YEAR}, ${salt}) on conflict do nothing`.execute(
    trx,
  )
  return (await findSalt(trx)) ?? salt
}

/** Counts the reactions to an entry by kind. `isMine`: whether one of them is of this reader. */
const countsOf = (entryId: RawBuilder<unknown>, reader: Buffer | null = null) => sql`
  select kind, sum(count)::integer as count, bool_or("isMine") as "isMine" from (
    select kind, count, false as "isMine" from entry_reaction_totals where entry_id = ${entryId}
    union all
    select kind, count(*)::integer, coalesce(bool_or(reader = ${reader}), false) from entry_reactions
    where entry_id = ${entryId} group by kind) counted
  group by kind`

type Counted = Reaction & { isMine: boolean }

/** Returns the reactions to an entry that readers see, and which are of this reader; undefined if they cannot react to it. */
export async function findReactions(
  db: Db,
  shown: ShownEntry,
  reader: Buffer | null,
): Promise<Counted[] | undefined> {
  const { rows } = await sql<{ counted: Counted[] }>`
    ${within(shown)} select (
      select coalesce(json_agg(c), '[]') from (${countsOf(sql`${shown.entryId}`, reader)}) c) as counted
    from ${shownEntry(shown)}`.execute(db)
  return rows[0]?.counted
}

/** Returns the reactions to a published entry; undefined if there is none. None are counted unless the project offers them. */
export async function findReactionsIn(
  db: Db,
  { milestoneId, entryId }: { milestoneId: string; entryId: string },
): Promise<Reaction[] | undefined> {
  const { rows } = await sql<{ counted: Reaction[] }>`
    select (
      select coalesce(json_agg(json_build_object('kind', c.kind, 'count', c.count)), '[]')
      from (${countsOf(sql`e.id`)}) c where ${offers('reactions', 'm.project_id')}) as counted
    from live_entries e join live_milestones m on m.id = e.milestone_id
    where e.id = ${entryId} and m.id = ${milestoneId}`.execute(db)
  return rows[0]?.counted
}

type OfReader = { kind: ReactionKind; reader: Buffer }

/** Adds a reaction, or does nothing if it is there. Returns false if readers cannot react to the entry any more. */
export async function insertReaction(
  trx: Transaction<Schema>,
  shown: ShownEntry,
  { kind, reader }: OfReader,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    ${within(shown)} insert into entry_reactions (entry_id, kind, reader, year)
    select e.id, ${kind}, ${reader}, ${YEAR} from ${shownEntry(shown)}
    on conflict (entry_id, kind, reader) do update set year = excluded.year`.execute(trx)
  return numAffectedRows > 0n
}

export async function deleteReaction(
  trx: Transaction<Schema>,
  { entryId }: ShownEntry,
  { kind, reader }: OfReader,
): Promise<void> {
  await trx
    .deleteFrom('entry_reactions')
    .where('entry_id', '=', entryId)
    .where('kind', '=', kind)
    .where('reader', '=', reader)
    .execute()
}

/** Counts at most `atMost` reactions of earlier years into the totals, deletes them, and returns their number. */
export async function foldEarlierYears(trx: Transaction<Schema>, atMost: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with folded as (
      delete from entry_reactions where (entry_id, kind, reader) in (
        select entry_id, kind, reader from entry_reactions where year < ${YEAR} limit ${atMost} for update skip locked)
      returning entry_id, kind),
    added as (
      insert into entry_reaction_totals as t (entry_id, kind, count)
      select entry_id, kind, count(*)::integer from folded group by entry_id, kind order by entry_id, kind
      on conflict (entry_id, kind) do update set count = t.count + excluded.count)
    select count(*)::integer as folded from folded`.execute(trx)
  return rows[0]?.folded ?? 0
}

/** Deletes the salts of earlier years, without which nobody can tell who reacted. */
export async function deleteEarlierSalts(db: Db): Promise<void> {
  await sql`delete from reaction_salts where year < ${YEAR}`.execute(db)
}

/** Returns the reactions to the entries of a project that are not in the trash. */
export async function listReactionsOf(db: Db, projectId: string): Promise<(Reaction & { entry: string })[]> {
  const { rows } = await sql<Reaction & { entry: string }>`
    select e.id as entry, c.kind, c.count from live_milestones m join live_entries e on e.milestone_id = m.id
    cross join lateral (${countsOf(sql`e.id`)}) c
    where m.project_id = ${projectId} order by e.id, c.kind`.execute(db)
  return rows
}
