import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

const written = (count: number) => count.toLocaleString('en')

/** The server's statistics. A number that cannot be loaded is shown as 0. */
export function StatsBand() {
  const users = useQuery(totalUsersQuery)
  const stats = useQuery(statsQuery)
  const { projects = 0, milestones = 0, entries = 0 } = stats.data ?? {}
  return (
    <section
      aria-label="Milepost in numbers"
      data-needs-scripts
      className="border-b border-line bg-sunken noscript:hidden"
    >
      <div className="mx-auto max-w-wide px-4 pt-10 pb-8 sm:px-6">
        <dl className="relative grid grid-cols-3 before:absolute before:inset-x-0 before:top-[0.4375rem] before:border-t-2 before:border-dashed before:border-edge">
          <Stat label="Active Users" count={users.isPending ? null : (users.data?.total ?? 0)} />
          <Stat label="Projects Created" count={stats.isPending ? null : projects} />
          <Stat label="Milestones Achieved" count={stats.isPending ? null : milestones} />
        </dl>
        <p className="mt-6 min-h-6 text-center text-muted">
          {entries > 0 && `Over ${written(entries)} journal entries created!`}
        </p>
      </div>
    </section>
  )
}

function Stat({ label, count }: { label: string; count: number | null }) {
  return (
    <div className="relative flex flex-col items-center px-1 text-center">
      <span className="mb-4 size-4 rounded-full border-[3px] border-accent bg-sunken" aria-hidden="true" />
      <dt className="order-2 mt-1 text-sm text-muted">{label}</dt>
      <dd className="text-3xl font-semibold tracking-tight tabular-nums">
        {count === null ? '...' : `${written(count)}+`}
      </dd>
    </div>
  )
}

/** The numbers of projects, milestones and entries on this server. */
const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => request('readStats', {}, { signal }),
  retry: false,
})

/** The number of users of this server. */
const totalUsersQuery = queryOptions({
  queryKey: ['stats', 'users'],
  queryFn: ({ signal }) => request('countUsers', {}, { signal }),
  retry: false,
})
