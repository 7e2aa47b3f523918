import { createContext, use, useEffect, useState } from 'react'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/parts/durations.ts'
import { dateFormatter } from './date-formatter.ts'
import { useHydrated } from './use-hydrated.ts'

/** The date settings of the signed-in person; empty for the browser's defaults. */
export const DateContext = createContext<DatePreferences>({})

/** Returns the reader's date settings; null until hydration, for the format of the server. */
function useReader(): DatePreferences | null {
  const choice = use(DateContext)
  return useHydrated() ? choice : null
}

type TimeProps = { iso: string; format?: 'date' | 'datetime' | 'time'; className?: string }

/** A date in the reader's chosen format, else in the locale and time zone of the browser; in English and UTC until hydration. */
export function Time({ iso, format = 'date', className }: TimeProps) {
  const reader = useReader()
  const moment = new Date(iso)
  return (
    <time dateTime={iso} title={dateFormatter('full', reader).format(moment)} className={className}>
      {dateFormatter(format, reader).format(moment)}
    </time>
  )
}

type DayProps = { on: string; zone: string; className?: string }

/** A calendar day (`YYYY-MM-DD`) in the reader's format. It is the author's day in the given time zone, wherever it is read. */
export function Day({ on, zone, className }: DayProps) {
  const reader = useReader()
  const midnight = new Date(on)
  return (
    <time
      dateTime={on}
      title={`${dateFormatter('fullDay', reader).format(midnight)} (${zone})`}
      className={className}
    >
      {dateFormatter('day', reader).format(midnight)}
    </time>
  )
}

/** A calendar day that belongs to nobody's time zone, such as a planned one. */
export function PlannedDay({ on, className }: { on: string; className?: string }) {
  const reader = useReader()
  const midnight = new Date(on)
  return (
    <time dateTime={on} title={dateFormatter('fullDay', reader).format(midnight)} className={className}>
      {dateFormatter('day', reader).format(midnight)}
    </time>
  )
}

const PAUSE_MS = 30_000

/** A relative time, with the absolute one as its tooltip. */
export function RelativeTime({ at, now, className }: { at: string; now: number; className: string }) {
  const choice = use(DateContext)
  return (
    <time dateTime={at} title={dateFormatter('full', choice).format(new Date(at))} className={className}>
      {relativeTime(at, now, choice)}
    </time>
  )
}

/** Returns the current time, updated every 30 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), PAUSE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Returns a relative time, abbreviated; from a week on, the date in the reader's format. */
export function relativeTime(iso: string, now: number, choice: DatePreferences = {}): string {
  const passed = now - Date.parse(iso)
  if (passed < MINUTE_MS) return 'Just now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)}m ago`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)}h ago`
  if (passed < 7 * DAY_MS) return `${Math.floor(passed / DAY_MS)}d ago`
  return dateFormatter('date', choice).format(new Date(iso))
}
