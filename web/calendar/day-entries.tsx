import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { DatedEntry } from '#contract/calendar.ts'
import { entryPath } from '#web/entries/paths.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonList } from '#web/ui/feedback/loading.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'
import { DateContext } from '#web/ui/layout/time.tsx'
import { dayName } from './names.ts'
import { dayQuery } from './queries.ts'

type DayEntriesProps = { day: string; projectId: string | undefined }

/** The entries of a day. */
export function DayEntries({ day, projectId }: DayEntriesProps) {
  const choice = use(DateContext)
  const [page, setPage] = useState(1)
  const query = useQuery(dayQuery(projectId, day, page))
  const { data } = query
  return (
    <section aria-labelledby="day" className="min-w-0">
      <h2 id="day" aria-live="polite" className="mb-3 text-lg/10 font-semibold">
        {dayName(day, choice)}
      </h2>
      {query.isPending ? (
        <SkeletonList label="Loading the day" count={2} itemClassName="h-24" />
      ) : !data ? (
        <FetchFailed title="This day could not be fetched" onRetry={() => void query.refetch()} />
      ) : data.entries.length === 0 ? (
        <p className="text-muted">Nothing was written on this day.</p>
      ) : (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {data.entries.map((entry) => (
              <li key={entry._id}>
                <DayEntry entry={entry} isInProject={projectId !== undefined} />
              </li>
            ))}
          </ul>
          {data.pagination.totalPages > 1 && (
            <nav aria-label="Pages of the day" className="mt-5 flex justify-center gap-2.5">
              <Button disabled={!data.pagination.hasPrev} onClick={() => setPage(page - 1)}>
                Previous
              </Button>
              <Button disabled={!data.pagination.hasNext} onClick={() => setPage(page + 1)}>
                Next
              </Button>
            </nav>
          )}
        </>
      )}
    </section>
  )
}

function DayEntry({ entry, isInProject }: { entry: DatedEntry; isInProject: boolean }) {
  const { _id, title, excerpt, author, milestone, project, image } = entry
  return (
    <article className="group relative flex gap-4 py-4">
      {image && <Cover image={image} className="size-19 shrink-0 rounded-md" />}
      <div className="min-w-0 flex-1">
        <p className="text-sm text-muted">
          <bdi>{isInProject ? milestone.title : `${project.title} › ${milestone.title}`}</bdi>
          {author && (
            <>
              {', by '}
              <bdi>{author.name}</bdi>
            </>
          )}
        </p>
        <h3 dir="auto" className="font-reading text-lg leading-snug font-medium break-words">
          <Link
            to={entryPath(project._id, { _id, milestone: milestone._id })}
            className="rounded-sm group-hover:text-accent after:absolute after:inset-0"
          >
            {title}
          </Link>
        </h3>
        <p dir="auto" className="mt-1 line-clamp-2 text-muted">
          {excerpt}
        </p>
      </div>
    </article>
  )
}
