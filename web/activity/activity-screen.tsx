import { useInfiniteQuery } from '@tanstack/react-query'
import { FileText, Flag, FolderOpen, type LucideIcon, Users } from 'lucide-react'
import { use } from 'react'
import { useParams } from 'react-router'
import type { Activity } from '#contract/activity.ts'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { isNotFound, useProject } from '#web/projects/queries.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { ShowEarlier } from '#web/ui/controls/pagination.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { dayName } from '#web/ui/layout/days.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DateContext, RelativeTime, useNow } from '#web/ui/layout/time.tsx'
import { activityQuery } from './queries.ts'
import { Sentence } from './sentence.tsx'

/** The activity of a project by day, for its members. */
export default function ActivityScreen() {
  const { projectId = '' } = useParams()
  const project = useProject(projectId)
  const { error } = useInfiniteQuery(activityQuery(projectId))
  if (project.isAbsent || isNotFound(error)) return <NotFound />
  const title = project.data?.title ?? 'Project'
  return (
    <Page width="reading">
      <ScreenTitle>{`Activity of ${title}`}</ScreenTitle>
      <PageHeader title="Activity" lede="Who did what in this project, the latest first.">
        <Breadcrumb steps={[{ label: title, to: `/projects/${projectId}` }, { label: 'Activity' }]} />
      </PageHeader>
      <ActivityList projectId={projectId} />
    </Page>
  )
}

function NotFound() {
  return (
    <Page>
      <ScreenTitle>Project not found</ScreenTitle>
      <EmptyState
        drawing="signpost"
        heading="h1"
        title="Project not found"
        action={<LinkButton to="/dashboard">Back to Dashboard</LinkButton>}
      >
        It may have been deleted, or you are not one of its members.
      </EmptyState>
    </Page>
  )
}

function ActivityList({ projectId }: { projectId: string }) {
  const query = useInfiniteQuery(activityQuery(projectId))
  const { data, isPending, isError, refetch } = query
  const now = useNow()
  const choice = use(DateContext)
  if (isPending) return <Loading />
  const all = data?.pages.flatMap(({ activity }) => activity) ?? []
  if (!data && isError) {
    return <FetchFailed title="The activity could not be fetched" onRetry={() => void refetch()} />
  }
  if (all.length === 0) {
    return (
      <EmptyState
        title="Nothing yet"
        action={<LinkButton to={`/projects/${projectId}`}>Open the project</LinkButton>}
      >
        What members write, change and complete appears here.
      </EmptyState>
    )
  }
  return (
    <>
      {byDay(all, now, choice).map(({ day, activity }) => (
        <section key={day} aria-label={day} className="mb-8">
          <h2 className="mb-2 text-sm font-semibold text-muted">{day}</h2>
          <ol className="divide-y divide-line border-y border-line">
            {activity.map((one) => (
              <ActivityItem key={one._id} projectId={projectId} activity={one} now={now} />
            ))}
          </ol>
        </section>
      ))}
      <ShowEarlier query={query} />
      {!query.hasNextPage && (
        <p className="text-center text-sm text-muted">This is where the project began.</p>
      )}
    </>
  )
}

const icons: { [about: string]: LucideIcon } = { project: FolderOpen, milestone: Flag, entry: FileText }

type ItemProps = { projectId: string; activity: Activity; now: number }

function ActivityItem({ projectId, activity, now }: ItemProps) {
  const Icon = icons[activity.kind.split('_')[0] ?? ''] ?? Users
  return (
    <li className="flex items-baseline gap-3 py-3 text-sm">
      <Icon className="size-4 shrink-0 translate-y-0.5 text-faint" aria-hidden="true" />
      <p className="min-w-0 flex-1 text-muted wrap-anywhere [&_bdi]:text-ink">
        <Sentence projectId={projectId} activity={activity} />
      </p>
      <RelativeTime at={activity.createdAt} now={now} className="shrink-0 text-xs text-faint" />
    </li>
  )
}

function Loading() {
  return (
    <output className="block">
      <VisuallyHidden>Loading the activity</VisuallyHidden>
      <Skeleton className="mb-2 h-5 w-20" />
      <div className="divide-y divide-line border-y border-line">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex items-center gap-3 py-3.5">
            <Skeleton className="size-4 shrink-0" />
            <Skeleton className="h-4 max-w-72 flex-1" />
            <Skeleton className="ml-auto h-3 w-12 shrink-0" />
          </div>
        ))}
      </div>
    </output>
  )
}

/** The activity of one day in the reader's time zone. */
type Day = { day: string; activity: Activity[] }

/** Groups activity by day, in the same order. */
export function byDay(all: readonly Activity[], now: number, choice: DatePreferences): Day[] {
  const days: Day[] = []
  for (const activity of all) {
    const day = dayName(activity.createdAt, now, choice)
    const last = days.at(-1)
    if (last?.day === day) last.activity.push(activity)
    else days.push({ day, activity: [activity] })
  }
  return days
}
