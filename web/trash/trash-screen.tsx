import { useSearchParams } from 'react-router'
import { pageOf } from '#web/forms/filters.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Pagination } from '#web/ui/controls/pagination.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DeletionRow } from './deletion-row.tsx'
import { useTrash } from './queries.ts'

const HEADING = 'Trash'

/** The list of deletions that the user can restore. */
export default function TrashScreen() {
  const [params, setParams] = useSearchParams()
  const query = useTrash(pageOf(params.get('page')))
  const { data } = query

  return (
    <Page>
      <ScreenTitle>{HEADING}</ScreenTitle>
      <PageHeader title={HEADING} lede={ledeOf(data?.days)} />
      <Outdated of={[query]} className="mb-6" />
      <section tabIndex={-1} aria-label="Deleted" className="flex flex-col gap-6 outline-none">
        <TrashList query={query} />
        {data && data.pagination.totalPages > 1 && (
          <Pagination
            label="Pages of the trash"
            page={data.pagination.currentPage}
            pageCount={data.pagination.totalPages}
            onPage={(page) => setParams(page === 1 ? {} : { page: String(page) })}
          />
        )}
      </section>
    </Page>
  )
}

const ledeOf = (days: number | undefined) =>
  days === undefined
    ? 'What was deleted can be restored for a while, and takes up storage until then.'
    : `What was deleted can be restored for ${days === 1 ? 'a day' : `${days} days`}, and takes up storage until then.`

function TrashList({ query }: { query: ReturnType<typeof useTrash> }) {
  if (query.isPending) return <TrashSkeleton />
  if (!query.data)
    return (
      <FetchFailed
        title="The trash could not be fetched"
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  const { deletions } = query.data
  if (deletions.length === 0)
    return (
      <EmptyState
        drawing="basket"
        title="Nothing in the trash"
        action={<LinkButton to="/dashboard">View My Projects</LinkButton>}
      >
        Projects, milestones and entries that are deleted will wait here.
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
      {deletions.map((deletion) => (
        <li key={deletion._id}>
          <DeletionRow deletion={deletion} />
        </li>
      ))}
    </ul>
  )
}

function TrashSkeleton() {
  return (
    <output className="block divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
      <VisuallyHidden>Loading the trash</VisuallyHidden>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 sm:p-5">
          <Skeleton className="mt-1 size-5 shrink-0" />
          <div className="flex flex-1 basis-52 flex-col gap-2 py-0.5">
            <Skeleton className="h-6 w-8/12" />
            <Skeleton className="h-4 w-6/12" />
            <Skeleton className="mt-1.5 h-4 w-9/12" />
          </div>
          <Skeleton className="h-8 w-24 pointer-coarse:h-11" />
        </div>
      ))}
    </output>
  )
}
