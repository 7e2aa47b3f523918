import { type Kysely, sql } from 'kysely'

/** What readers without an account say of an entry with one press. Nobody is named: a reader is a hash under a salt of the year. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reader_settings alter emails set default true, add reactions boolean not null default false`.execute(
    db,
  )
  await sql`create table reaction_salts (year integer primary key, salt bytea not null)`.execute(db)
  await sql`
    create table entry_reactions (
      entry_id uuid not null references entries on delete cascade,
      kind text not null check (kind in ('love', 'applause', 'smile', 'insight', 'curious')),
      reader bytea not null check (length(reader) = 16),
      year integer not null,
      primary key (entry_id, kind, reader)
    )`.execute(db)
  await sql`create index entry_reactions_year on entry_reactions (year)`.execute(db)
  // Those of earlier years, whose salts are gone.
  await sql`
    create table entry_reaction_totals (
      entry_id uuid not null references entries on delete cascade,
      kind text not null check (kind in ('love', 'applause', 'smile', 'insight', 'curious')),
      count integer not null check (count > 0),
      primary key (entry_id, kind)
    )`.execute(db)
}
