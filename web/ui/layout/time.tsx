import { useEffect, useState } from 'react'
import { useHydrated } from './use-hydrated.ts'

const formats = {
  date: { dateStyle: 'medium' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
  // A calendar day is the same in every time zone; as an instant it is midnight in UTC.
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  fullDay: { dateStyle: 'full', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

type Format = keyof typeof formats

/** Date formatters, cached because creating one costs as much as rendering a small page. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns the formatter of the reader's locale and time zone, or the server's: English and UTC. */
function formatter(format: Format, locale: 'reader' | 'server'): Intl.DateTimeFormat {
  const key = `${locale} ${format}`
  const made =
    formatters.get(key) ??
    (locale === 'reader'
      ? new Intl.DateTimeFormat(undefined, formats[format])
      : new Intl.DateTimeFormat('en', { ...formats[format], timeZone: 'UTC' }))
  formatters.set(key, made)
  return made
}

type TimeProps = { iso: string; format?: 'date' | 'datetime'; className?: string }

/** A date in the reader's locale and time zone; in English and UTC until hydration. */
export function Time({ iso, format = 'date', className }: TimeProps) {
  const locale = useHydrated() ? 'reader' : 'server'
  const moment = new Date(iso)
  return (
    <time dateTime={iso} title={formatter('full', locale).format(moment)} className={className}>
      {formatter(format, locale).format(moment)}
    </time>
  )
}

type DayProps = { on: string; zone: string; className?: string }

/** A calendar day (`YYYY-MM-DD`) in the reader's locale: the one that its author saw in the time zone, wherever it is read. */
export function Day({ on, zone, className }: DayProps) {
  const locale = useHydrated() ? 'reader' : 'server'
  const midnight = new Date(on)
  return (
    <time
      dateTime={on}
      title={`${formatter('fullDay', locale).format(midnight)} (${zone})`}
      className={className}
    >
      {formatter('day', locale).format(midnight)}
    </time>
  )
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PAUSE_MS = 30_000

/** How long ago a moment was, with the moment itself as its tooltip. */
export function RelativeTime({ at, now, className }: { at: string; now: number; className: string }) {
  return (
    <time
      dateTime={at}
      title={new Date(at).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })}
      className={className}
    >
      {relativeTime(at, now)}
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

/** Returns how long ago a moment was, abbreviated; from a week on, its date in the reader's language. */
export function relativeTime(iso: string, now: number): string {
  const passed = now - Date.parse(iso)
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h ago`
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)}d ago`
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** Returns the name of the day of a moment, in the reader's calendar and language. */
export function dayName(iso: string, now: number): string {
  const at = new Date(iso)
  const day = at.toDateString()
  if (day === new Date(now).toDateString()) return 'Today'
  // At noon, as the day before a change of clocks has 23 or 25 hours.
  const noon = new Date(now).setHours(12, 0, 0, 0)
  if (day === new Date(noon - DAY).toDateString()) return 'Yesterday'
  return at.toLocaleDateString(undefined, { dateStyle: 'full' })
}
