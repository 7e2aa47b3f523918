import type { EntryListPage, EntryQuery } from '#contract/entries.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { offsetOf, paginate } from '#server/platform/pagination.ts'
import { milestonePages } from './page-store.ts'
import { entryPresenter } from './present.ts'
import { projectPages } from './project-page-store.ts'
import type { EntryRecord } from './store.ts'

type PageQuery = EntryQuery & { page: number }

/** The caller, the client for which a search counts towards the concurrency limit, and that limit. */
type Asking = { caller: Caller | null; client: string; search: RunSearch }

/** The milestone or the project of the entries. */
type Container = { milestoneId: string } | { projectId: string }

/**
 * Returns one page of the entries of a milestone or of a project that the caller may view, from one snapshot.
 * Throws `not_found`.
 */
export function listEntryPage(
  deps: AppDeps,
  { caller, client, search }: Asking,
  container: Container,
  query: PageQuery,
): Promise<EntryListPage> {
  const [id, store] =
    'projectId' in container ? [container.projectId, projectPages] : [container.milestoneId, milestonePages]
  const read = async (db: Db) => {
    const access = await requireAccess(db, caller, 'project:view', container)
    const reader = caller?.userId ?? null
    const { total: live, tags } = await store.findContents(db, id)
    const total = reader === null ? live : live + (await store.countDrafts(db, id, reader))
    const { rows, found } = await select(db, { id, store }, { ...query, reader }, total)
    const entries = rows.map(entryPresenter(deps, caller, access))
    return { entries, pagination: paginate(found, query), total, tags }
  }
  return query.search ? search(client, read) : inSnapshot(deps.db, read)
}

type Selection = { rows: EntryRecord[]; found: number }

async function select(
  db: Db,
  { id, store }: { id: string; store: typeof milestonePages },
  { search, tag, sort, page, limit, reader }: PageQuery & { reader: string | null },
  total: number,
): Promise<Selection> {
  if (search) {
    const rows = await store.search(db, id, {
      text: search,
      tag: tag || undefined,
      sort,
      page,
      limit,
      reader,
    })
    return { rows, found: rows[0]?.found ?? 0 }
  }
  const found = tag ? await store.countTagged(db, id, tag) : total
  if (found === 0) return { rows: [], found }
  const range = { sort, limit, offset: offsetOf(paginate(found, { page, limit })) }
  const rows = tag
    ? await store.listTagged(db, id, tag, range)
    : await store.listRange(db, id, { ...range, reader })
  return { rows, found }
}
