import { type Kysely, sql } from 'kysely'

/**
 * Searches ignore case, the accents of Latin and Greek letters and invisible marks, and find composed and decomposed letters
 * alike. `searchable` follows contract/parts/folding.ts. Tags are composed, so that two spellings of one are one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFunction(db)
  await indexAgain(db)
  await composeTags(db)
}

/** SQL bodies are bound when they are created: the search path of an index build has no schema of ours. */
async function createFunction(db: Kysely<unknown>) {
  await sql`
    create function letters_replaced(written text) returns text language sql immutable strict parallel safe
    return case when written ~ '[ßıłøđðþæœħŧςё’‘ʼأإآٱىیکة]' then
      replace(replace(replace(replace(translate(written, 'ıłøđðħŧςё’‘ʼأإآٱىیکة', 'iloddhtσе''''''ااااييكه'),
        'ß', 'ss'), 'þ', 'th'), 'æ', 'ae'), 'œ', 'oe')
    else written end`.execute(db)
  const ignored = sql.raw(`'[${IGNORED}]+'`)
  const accented = sql.raw(`'([${ACCENTED}])[${MARKS}]+'`)
  await sql`
    create function searchable(written text) returns text language sql immutable strict parallel safe
    return case when octet_length(written) = char_length(written) then folded(written)
    else letters_replaced(normalize(regexp_replace(normalize(regexp_replace(
      letters_replaced(folded(normalize(written, NFKC))), ${ignored}, '', 'g'), NFD), ${accented}, '\\1', 'g'), NFC))
    end`.execute(db)
}

const IGNORED =
  '\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF\\uFE00-\\uFE0F\\u0640\\u0610-\\u061A\\u064B-\\u065F\\u0670' +
  '\\u06D6-\\u06DC\\u06DF-\\u06E8\\u06EA-\\u06ED\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7'
/** Latin and Greek letters after folding and decomposition. */
const ACCENTED =
  'a-z\\u00DF-\\u024F\\u0250-\\u02AF\\u0370-\\u03FF\\u1D00-\\u1DBF\\u1E00-\\u1EFF\\uA720-\\uA7FF'
const MARKS = '\\u0300-\\u036F\\u0483-\\u0487\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20F0\\uFE20-\\uFE2F'

/** An index on the new expression, where there was one on the old. */
async function indexAgain(db: Kysely<unknown>) {
  await sql`set local maintenance_work_mem = '128MB'`.execute(db)
  await sql`
    do $$
    begin
      if to_regclass('entries_search') is null then return; end if;
      drop index entries_search;
      create index entries_search on entries
      using gin (milestone_id, searchable(title || e'\\x1f' || content) gin_trgm_ops) with (fastupdate = off)
      where deleted_at is null;
    exception when insufficient_privilege or undefined_object then
      raise notice 'entries are searched without an index: %', sqlerrm;
    end $$`.execute(db)
}

/** Composes the tags of entries, and removes those that are then the same; the first of each stays where it is. */
async function composeTags(db: Kysely<unknown>) {
  await sql`
    update entries e set tags = array(
      select composed from (
        select distinct on (normalize(tag, NFC)) normalize(tag, NFC) composed, position
        from unnest(e.tags) with ordinality t (tag, position) order by normalize(tag, NFC), position
      ) once order by position)
    where normalize(array_to_string(tags, ' '), NFC) <> array_to_string(tags, ' ')`.execute(db)
}
