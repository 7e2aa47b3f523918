import { z } from 'zod'
import { whole } from '#server/platform/settings.ts'

/** How long revisions of entries are stored. Named revisions are never deleted. */
export type HistorySettings = {
  /** The number of days for which all revisions remain. */
  historyDays: number
  /** The number of days for which one revision a day remains. Of older ones, one a week remains. */
  historyDailyDays: number
}

const days = () => whole(1, 36_500)

/** The environment variables that limit histories. */
export const historyVariables = {
  HISTORY_DAYS: days().default(30),
  HISTORY_DAILY_DAYS: days().default(365),
}

const variables = z.object(historyVariables)

export function historyOf(read: z.output<typeof variables>): HistorySettings {
  return { historyDays: read.HISTORY_DAYS, historyDailyDays: read.HISTORY_DAILY_DAYS }
}
