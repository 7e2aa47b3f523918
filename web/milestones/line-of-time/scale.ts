import type { Milestone } from '#contract/milestones.ts'
import { DAY_MS } from '#contract/parts/durations.ts'

/** What is drawn of a milestone. */
type Dated = Pick<Milestone, '_id' | 'title' | 'startsOn' | 'dueOn' | 'reachedAt'>

/** As many milestones are drawn, around the selected one. */
export const ROWS_MAX = 60

const LINES_MAX = 24
/** Lines are drawn for months or for years, and for every so many years if there are many. */
const STEPS = [1, 12, 60, 120, 300]

/** A milestone on the line: days as `YYYY-MM-DD`, and their places from 0 to 100. */
export type Row = {
  milestone: Dated
  planned: { from: number; to: number } | null
  reachedOn: string | null
  reached: number | null
  isLate: boolean
}

export type Scale = {
  from: string
  to: string
  rows: Row[]
  /** The places of the first days of months, or of years if there are many, then of every fifth and so on. */
  lines: number[]
  /** How many milestones are not drawn. */
  hidden: number
}

/** Returns the scale of the milestones around the selected one; null if none of them has a day. */
export function scaleOf(
  milestones: readonly Dated[],
  selectedId: string | undefined,
  dayOfInstant: (iso: string) => string,
): Scale | null {
  const dated = milestones.filter(hasDay)
  const selected = milestones.findIndex(({ _id }) => _id === selectedId)
  const shown = around(dated, milestones.slice(0, Math.max(0, selected)).filter(hasDay).length)
  const rows = shown.map((milestone) => ({
    milestone,
    reachedOn: milestone.reachedAt === null ? null : dayOfInstant(milestone.reachedAt),
  }))
  const days = rows
    .flatMap(({ milestone: { startsOn, dueOn }, reachedOn }) => [startsOn, dueOn, reachedOn])
    .filter((day) => day !== null)
  const [first, ...others] = days
  if (first === undefined) return null
  const from = others.reduce((least, day) => (day < least ? day : least), first)
  const to = others.reduce((most, day) => (day > most ? day : most), first)
  const span = Math.max(1, daysBetween(from, to))
  const placeOf = (day: string) => (daysBetween(from, day) / span) * 100
  return {
    from,
    to,
    hidden: dated.length - shown.length,
    lines: beginnings(from, to).map(placeOf),
    rows: rows.map(({ milestone, reachedOn }) => {
      const { startsOn, dueOn } = milestone
      const [begin, end] = [startsOn ?? dueOn, dueOn ?? startsOn]
      return {
        milestone,
        planned: begin && end ? { from: placeOf(begin), to: placeOf(end) } : null,
        reachedOn,
        reached: reachedOn === null ? null : placeOf(reachedOn),
        isLate: reachedOn !== null && dueOn !== null && reachedOn > dueOn,
      }
    }),
  }
}

/** Returns the place of a day on a scale. */
export const placeOn = ({ from, to }: Pick<Scale, 'from' | 'to'>, day: string): number =>
  (daysBetween(from, day) / Math.max(1, daysBetween(from, to))) * 100

const hasDay = ({ startsOn, dueOn, reachedAt }: Dated) => Boolean(startsOn ?? dueOn ?? reachedAt)

function around(milestones: readonly Dated[], place: number): readonly Dated[] {
  const start = Math.max(0, Math.min(milestones.length - ROWS_MAX, place - ROWS_MAX / 2))
  return milestones.slice(start, start + ROWS_MAX)
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Returns the first days of the months between two days, or those of years if there are many months. */
function beginnings(from: string, to: string): string[] {
  const [first, last] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1)
  if (first === undefined || last === undefined) return []
  const step = STEPS.find((months) => last - first <= months * LINES_MAX) ?? Math.max(...STEPS)
  const days: string[] = []
  for (let month = Math.ceil(first / step) * step; month <= last; month += step)
    days.push(new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString().slice(0, 10))
  return days.filter((day) => day > from && day < to)
}
