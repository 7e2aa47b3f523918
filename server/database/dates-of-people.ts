import type { DateChoice } from '#contract/date-formats.ts'
import type { DateColumns } from './rows.ts'

/** How dates are written for the person of a row. */
export const datesOf = ({ time_zone, date_format }: DateColumns): DateChoice => ({
  ...(time_zone !== null && { timeZone: time_zone }),
  ...(date_format !== null && { dateFormat: date_format }),
})
