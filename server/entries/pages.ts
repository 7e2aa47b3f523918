import type { EntryPage, EntryQuery } from '#contract/entries.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { offsetOf, paginate } from '#server/platform/pagination.ts'
import {
  countDrafts,
  countTagged,
  findContents,
  listStretch,
  listTagged,
  searchEntries,
} from './page-store.ts'
import { entryPresenter } from './present.ts'
import type { EntryRecord } from './store.ts'

type PageQuery = EntryQuery & { page: number }

/** Who asks, whose concurrent work that counts as, and what bounds it where it is a search. */
type Asking = { caller: Caller | null; client: string; search: RunSearch }

/** One page of the entries of a milestone that the caller may view, in one consistent view. Throws `not_found`. */
export function listEntryPage(
  deps: AppDeps,
  { caller, client, search }: Asking,
  milestoneId: string,
  query: PageQuery,
): Promise<EntryPage> {
  const read = async (db: Db) => {
    const access = await requireAccess(db, caller, 'project:view', { milestoneId })
    const reader = caller?.userId ?? null
    const { total: live, tags } = await findContents(db, milestoneId)
    const total = reader === null ? live : live + (await countDrafts(db, milestoneId, reader))
    const { rows, found } = await select(db, milestoneId, { ...query, reader }, total)
    const entries = rows.map(entryPresenter(deps, caller, access))
    return { entries, pagination: paginate(found, query), total, tags }
  }
  return query.search ? search(client, read) : inSnapshot(deps.db, read)
}

type Selection = { rows: EntryRecord[]; found: number }

async function select(
  db: Db,
  milestoneId: string,
  { search, tag, sort, page, limit, reader }: PageQuery & { reader: string | null },
  total: number,
): Promise<Selection> {
  if (search) {
    const rows = await searchEntries(db, milestoneId, {
      text: search,
      tag: tag || undefined,
      sort,
      page,
      limit,
      reader,
    })
    return { rows, found: rows[0]?.found ?? 0 }
  }
  const found = tag ? await countTagged(db, milestoneId, tag) : total
  if (found === 0) return { rows: [], found }
  const stretch = { sort, limit, offset: offsetOf(paginate(found, { page, limit })) }
  const rows = tag
    ? await listTagged(db, milestoneId, tag, stretch)
    : await listStretch(db, milestoneId, { ...stretch, reader })
  return { rows, found }
}
