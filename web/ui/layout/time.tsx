import { useHydrated } from './use-hydrated.ts'

const formats = {
  date: { dateStyle: 'medium' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
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
