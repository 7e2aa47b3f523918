import type { Milestone } from '#contract/milestones.ts'
import { DAY_MS } from '#contract/parts/durations.ts'

/** What is drawn of a milestone. */
type Dated = Pick<Milestone, '_id' | 'title' | 'startsOn' | 'dueOn' | 'reachedAt'>

/** As many milestones are drawn, around the selected one. */
export const ROWS_MAX = 60

const MONTHS_SHOWN_MAX = 24

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
  /** The places of the first days of months, or of years if there are many. */
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
  const dated = milestones.filter(({ startsOn, dueOn, reachedAt }) => startsOn ?? dueOn ?? reachedAt)
  const shown = around(dated, selectedId)
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

function around(milestones: readonly Dated[], selectedId: string | undefined): readonly Dated[] {
  const place = Math.max(
    0,
    milestones.findIndex(({ _id }) => _id === selectedId),
  )
  const start = Math.max(0, Math.min(milestones.length - ROWS_MAX, place - ROWS_MAX / 2))
  return milestones.slice(start, start + ROWS_MAX)
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Returns the first days of the months between two days, or those of years if there are many months. */
function beginnings(from: string, to: string): string[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  const months = (Number(to.slice(0, 4)) - year) * 12 + Number(to.slice(5, 7)) - month
  const step = months > MONTHS_SHOWN_MAX ? 12 : 1
  const first = step === 12 ? 12 - (month - 1) : 1
  const found = []
  for (let at = first; at <= months; at += step) {
    const day = new Date(Date.UTC(year, month - 1 + at, 1)).toISOString().slice(0, 10)
    if (day > from && day < to) found.push(day)
  }
  return found
}
