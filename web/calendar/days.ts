import { DAY_MS } from '#contract/parts/durations.ts'

/** Days are `YYYY-MM-DD` and months `YYYY-MM`: text that compares like the days, in no time zone. */

const textOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)

/** Returns the day some days later, or earlier. */
export const plusDays = (day: string, days: number): string => textOf(Date.parse(day) + days * DAY_MS)

export const monthOf = (day: string): string => day.slice(0, 7)
export const yearOf = (dayOrMonth: string): string => dayOrMonth.slice(0, 4)

/** Returns the month some months later, or earlier. */
export function plusMonths(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
}

export const daysIn = (month: string): string[] => {
  const first = `${month}-01`
  const count = (Date.parse(`${plusMonths(month, 1)}-01`) - Date.parse(first)) / DAY_MS
  return Array.from({ length: count }, (_, index) => plusDays(first, index))
}

export const monthsIn = (year: string): string[] =>
  Array.from({ length: 12 }, (_, index) => plusMonths(`${year}-01`, index))

/** Returns the place of a day in its week, from 0; weeks begin on this day: 1 is Monday, 7 is Sunday. */
export const weekday = (day: string, firstDay: number): number =>
  (new Date(day).getUTCDay() - (firstDay % 7) + 7) % 7

/** Returns a month in weeks, with null for the days of the months beside it. */
export function weeksOf(month: string, firstDay: number): (string | null)[][] {
  const days: (string | null)[] = daysIn(month)
  const [first] = days
  const padded = [...Array.from({ length: first ? weekday(first, firstDay) : 0 }, () => null), ...days]
  return Array.from({ length: Math.ceil(padded.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => padded[week * 7 + place] ?? null),
  )
}

/** Returns the day with the same number in another month, or that month's last one. */
export const sameDayIn = (month: string, day: string): string => {
  const days = daysIn(month)
  return days[Math.min(Number(day.slice(8)), days.length) - 1] ?? day
}

const MONTH = /^(?:1[7-9]|2[01])\d\d-(?:0[1-9]|1[0-2])$/

/** Returns a month or a day of a URL; undefined if it is none. */
export const monthIn = (value: string | null): string | undefined =>
  value !== null && MONTH.test(value) ? value : undefined

export const dayIn = (value: string | null): string | undefined =>
  value !== null && MONTH.test(value.slice(0, 7)) && daysIn(value.slice(0, 7)).includes(value)
    ? value
    : undefined

/** How much a day had, in steps that a legend tells. */
export const levelOf = (entries: number): 0 | 1 | 2 | 3 | 4 => {
  if (entries < 3) return entries as 0 | 1 | 2
  return entries < 5 ? 3 : 4
}

/** Returns the day on which weeks begin where the reader is, as Intl numbers them; Monday where the browser does not know. */
export function firstDayOfWeek(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}
