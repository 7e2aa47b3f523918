import type { EntryListPage, EntryQuery } from '#contract/entries.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireRight } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { paginate } from '#server/platform/api/pagination.ts'
import type { Client } from '#server/platform/limits/fair-queue.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { ofMilestone, type PageHead, readHead, readPage, searchEntries } from './page-store.ts'
import { entryPresenter } from './present.ts'
import { ofProject } from './project-page-store.ts'
import type { EntryRecord } from './store.ts'

/** The caller, the client for which a search counts towards the concurrency limit, and that limit. */
type Asking = { caller: Caller | null; client: Client; search: RunSearch }

/** The milestone or the project of the entries. */
type Container = { milestoneId: string } | { projectId: string }

/**
 * Returns one page of the entries of a milestone or of a project that the caller may view, from one snapshot.
 * Throws `not_found`.
 */
export async function listEntryPage(
  deps: AppDeps,
  { caller, client, search }: Asking,
  ref: Container,
  query: EntryQuery,
): Promise<EntryListPage> {
  const [id, container] = 'projectId' in ref ? [ref.projectId, ofProject] : [ref.milestoneId, ofMilestone]
  const { page, limit, sort, tag = '', search: text } = query
  const values = { id, reader: caller?.userId ?? null, tag, page }
  const present = (head: PageHead, rows: EntryRecord[], found: number) => ({
    entries: rows.map(entryPresenter(deps, caller, head)),
    pagination: paginate(found, query),
    total: head.total,
    tags: head.tags,
  })
  const allowed = (head: PageHead | undefined) => requireRight(caller, head, 'project:view', ref)
  if (text)
    return search(client, async (db) => {
      const head = allowed(await readHead(db, container, values))
      const asked = { text, tag: tag || undefined, sort, page, limit, reader: values.reader }
      const rows = await searchEntries(db, container.isWithin(values), asked)
      return present(head, rows, rows[0]?.found ?? 0)
    })
  const read = await readPage(deps.db, container, { ...values, sort, limit })
  const head = allowed(read?.head)
  return present(head, read?.rows ?? [], head.found)
}
