import type { Db } from '#server/database/rows.ts'
import { listVersions } from './export-store.ts'

export type { VersionRecord } from './export-store.ts'

/** A version may be as long as an entry. */
const AT_ONCE = 10

/** Yields the listed versions of an entry with their texts, oldest first and a few at a time. */
export async function* versionsOf(db: Db, of: { entryId: string; reader: string }) {
  for (let after = 0; ; ) {
    const rows = await listVersions(db, { ...of, after, limit: AT_ONCE })
    yield rows
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.version ?? after
  }
}
