import { sql } from 'kysely'

type PersonColumn = 'e.author_id' | 'e.user_id' | 'c.user_id' | 'u.id' | 'users.id'

/** The id of the picture of the person whom a column names; null where there is none. */
export const pictureOf = (column: PersonColumn) =>
  sql<string | null>`(select pp.id from profile_pictures pp where pp.user_id = ${sql.ref(column)})`
