import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CountedDay, Numbers } from '#contract/calendar.ts'
import { dayIn as dayInZone } from '#contract/parts/date-formats.ts'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext, useNow } from '#web/ui/layout/time.tsx'
import { DayEntries } from './day-entries.tsx'
import { dayIn, firstDayOfWeek, monthIn, monthOf, yearOf } from './days.ts'
import { HeatMap } from './heat-map.tsx'
import { MonthGrid } from './month-grid.tsx'
import { NumbersOf } from './numbers.tsx'
import { daysQuery, numbersQuery } from './queries.ts'
import { Remembering } from './remembering.tsx'

/** The numbers, the map of a year, a calendar of a month and the entries of a day: of a project, or of all. */
export function LookBack({ projectId }: { projectId?: string }) {
  const numbers = useQuery(numbersQuery(projectId))
  if (numbers.isPending) return <Loading />
  if (!numbers.data)
    return <FetchFailed title="The past could not be fetched" onRetry={() => void numbers.refetch()} />
  if (numbers.data.lastDay === null)
    return (
      <EmptyState drawing="page" title="Nothing to look back on yet">
        Days appear here once something has been written and published.
      </EmptyState>
    )
  return <Past numbers={numbers.data} lastDay={numbers.data.lastDay} projectId={projectId} />
}

type PastProps = { numbers: Numbers; lastDay: string; projectId: string | undefined }

function Past({ numbers, lastDay, projectId }: PastProps) {
  const choice = use(DateContext)
  const today = dayInZone(zoneOf(choice), new Date(useNow()))
  const [firstDay] = useState(firstDayOfWeek)
  const { month, day, show } = useShown(lastDay < today ? lastDay : today)
  const year = yearOf(month)
  const days = useQuery(daysQuery(projectId, year))
  const counted = new Map(days.data?.map((one): [string, CountedDay] => [one.day, one]))
  const shown = day ?? days.data?.filter((one) => monthOf(one.day) === month).at(-1)?.day
  return (
    <>
      <NumbersOf numbers={numbers} onShow={show} />
      <HeatMap
        year={year}
        counted={counted}
        isPending={days.isPending}
        firstDay={firstDay}
        range={{ from: yearOf(numbers.firstDay ?? lastDay), to: yearOf(lastDay > today ? lastDay : today) }}
        shown={shown}
        onShow={show}
      />
      {days.isError && !days.data && (
        <FetchFailed title="This year could not be fetched" onRetry={() => void days.refetch()} />
      )}
      <div className="mt-10 grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <MonthGrid
          month={month}
          counted={counted}
          firstDay={firstDay}
          today={today}
          shown={shown}
          onShow={show}
        />
        {shown === undefined ? (
          <p className="text-muted lg:mt-12" data-print="hidden">
            {!days.isPending && 'Nothing was written in this month.'}
          </p>
        ) : (
          <DayEntries key={shown} day={shown} projectId={projectId} />
        )}
      </div>
      {projectId !== undefined && numbers.isRemembered !== undefined && (
        <Remembering projectId={projectId} isRemembered={numbers.isRemembered} />
      )}
    </>
  )
}

/** The month and the day in the URL. A day without a month is shown in its own. */
function useShown(otherwise: string) {
  const [params, setParams] = useSearchParams()
  const day = dayIn(params.get('day'))
  const month = monthIn(params.get('month')) ?? monthOf(day ?? otherwise)

  /** Shows a month, or a day in its month. */
  function show(monthOrDay: string) {
    const isDay = monthOrDay.length > 7
    setParams(isDay ? { day: monthOrDay } : { month: monthOrDay }, {
      replace: true,
      preventScrollReset: true,
    })
  }

  return { month, day: day !== undefined && monthOf(day) === month ? day : undefined, show }
}

function Loading() {
  return (
    <div aria-hidden="true">
      <Skeleton className="mb-8 h-16 w-full max-w-xl" />
      <Skeleton className="h-44 w-full" />
      <Skeleton className="mt-10 h-80 w-88 max-w-full" />
    </div>
  )
}
