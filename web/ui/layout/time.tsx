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
