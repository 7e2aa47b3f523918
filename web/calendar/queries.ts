import { queryOptions, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { dayIn } from '#contract/parts/date-formats.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { CALENDAR_DAYS_MAX } from '#contract/parts/list-options.ts'
import { request } from '#web/api/client.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext, useNow } from '#web/ui/layout/time.tsx'

/** The key prefix of all cached data of calendars. */
export const calendarKey = ['calendar']

/** The calendar of a project; without its id, of all projects of the user. */
export const calendarPath = (projectId?: string) =>
  projectId === undefined ? '/calendar' : `/projects/${projectId}/calendar`

const of = (project: string | undefined) => (project === undefined ? {} : { project })

/** The days of a year that have entries. */
export const daysQuery = (project: string | undefined, year: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'days', project, year],
    queryFn: async ({ signal }) => {
      const query = { from: `${year}-01-01`, to: `${year}-12-31`, ...of(project) }
      return (await request('listDays', { query }, { signal })).days
    },
  })

/** The days of a project with entries between two days; none if these are so far apart that it would take many requests. */
export const daysBetweenQuery = (project: string, from: string, to: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'days', project, from, to],
    queryFn: async ({ signal }) => {
      const parts = partsOf(from, to)
      if (parts.length > PARTS_MAX) return []
      const found = []
      for (const part of parts)
        found.push(...(await request('listDays', { query: { ...part, project } }, { signal })).days)
      return found
    },
  })

const PARTS_MAX = 6

/** Returns the days from one to another in parts of as many days as a request may ask for. */
function partsOf(from: string, to: string): { from: string; to: string }[] {
  const parts = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += CALENDAR_DAYS_MAX * DAY_MS) {
    const end = Math.min(Date.parse(to), at + (CALENDAR_DAYS_MAX - 1) * DAY_MS)
    parts.push({ from: dayOf(at), to: dayOf(end) })
  }
  return parts
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** A page of the entries of a day. */
export const dayQuery = (project: string | undefined, day: string, page: number) =>
  queryOptions({
    queryKey: [...calendarKey, 'day', project, day, page],
    queryFn: ({ signal }) => request('listDay', { query: { day, page, ...of(project) } }, { signal }),
  })

export const numbersQuery = (project: string | undefined) =>
  queryOptions({
    queryKey: [...calendarKey, 'numbers', project],
    queryFn: ({ signal }) => request('readNumbers', { query: of(project) }, { signal }),
  })

/** The entries of earlier years on a day. */
const onThisDayQuery = (date: string) =>
  queryOptions({
    queryKey: [...calendarKey, 'on this day', date],
    queryFn: async ({ signal }) => (await request('listOnThisDay', { query: { date } }, { signal })).entries,
  })

/** Returns the entries of earlier years on the reader's day, and whether their first fetch is under way. */
export function useOnThisDay() {
  const today = dayIn(zoneOf(use(DateContext)), new Date(useNow()))
  const query = useQuery(onThisDayQuery(today))
  const { data: entries = [], isPending, failureCount, errorUpdateCount } = query
  return { entries, today, isAwaited: isPending && failureCount === 0 && errorUpdateCount === 0 }
}
