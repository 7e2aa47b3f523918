import { sql } from 'kysely'

/**
 * The pattern for `like` of the texts that contain this one, once both are `searchable`. The signs of patterns are escaped after
 * folding, which makes some (the wide ％) from others.
 */
export const containing = (text: string) => sql<string>`
  ('%' || regexp_replace(searchable(${text}), '([%_\\\\])', '\\\\\\1', 'g') || '%')`
