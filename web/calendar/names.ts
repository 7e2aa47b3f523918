import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'

/** Returns the name of a day, with its weekday, in the reader's format. */
export const dayName = (day: string, choice: DatePreferences): string =>
  dateFormatter('fullDay', choice).format(new Date(day))

/** Returns the name of a month in the reader's language, alone or with its year. */
export const monthName = (month: string, style: 'short' | 'with year'): string =>
  (style === 'short' ? shortMonth : wholeMonth).format(new Date(`${month}-01`))

const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const wholeMonth = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the names of the days of a week, which are those of these days. */
export const weekdayName = (day: string, style: 'short' | 'long'): string =>
  (style === 'short' ? shortWeekday : wholeWeekday).format(new Date(day))

const shortWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
const wholeWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' })

/** Returns a number with what it counts. */
export const numberOf = (count: number, one: string, many: string): string =>
  `${new Intl.NumberFormat().format(count)} ${count === 1 ? one : many}`

const years = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

/** Returns how many years before a day another one was. */
export const yearsBefore = (day: string, today: string): string =>
  years.format(Number(day.slice(0, 4)) - Number(today.slice(0, 4)), 'year')
