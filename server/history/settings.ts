import { z } from 'zod'
import { whole } from '#server/platform/settings.ts'

/** How long revisions of entries are kept. Those with a name are kept for ever. */
export type HistorySettings = {
  /** Days for which all of them are. */
  historyDays: number
  /** Days for which one a day is; of older ones one a week. */
  historyDailyDays: number
}

const days = () => whole(1, 36_500)

/** The variables by which an operator bounds histories. */
export const historyVariables = {
  HISTORY_DAYS: days().default(30),
  HISTORY_DAILY_DAYS: days().default(365),
}

const variables = z.object(historyVariables)

export function historyOf(read: z.output<typeof variables>): HistorySettings {
  return { historyDays: read.HISTORY_DAYS, historyDailyDays: read.HISTORY_DAILY_DAYS }
}
