import { useHydrated } from './use-hydrated.ts'

const formats = {
  date: { dateStyle: 'medium' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

type Format = keyof typeof formats

/** Writers of moments, each made once: making one costs as much as rendering a small page. */
const writers = new Map<string, Intl.DateTimeFormat>()

/** How the reader writes moments or, where that is not known yet, how the server does: in English and UTC. */
function writer(format: Format, whose: 'reader' | 'server'): Intl.DateTimeFormat {
  const key = `${whose} ${format}`
  const made =
    writers.get(key) ??
    (whose === 'reader'
      ? new Intl.DateTimeFormat(undefined, formats[format])
      : new Intl.DateTimeFormat('en', { ...formats[format], timeZone: 'UTC' }))
  writers.set(key, made)
  return made
}

type TimeProps = { iso: string; format?: 'date' | 'datetime'; className?: string }

/** A moment in the reader's own language and time zone; the server, which knows neither, writes English and UTC. */
export function Time({ iso, format = 'date', className }: TimeProps) {
  const whose = useHydrated() ? 'reader' : 'server'
  const moment = new Date(iso)
  return (
    <time dateTime={iso} title={writer('full', whose).format(moment)} className={className}>
      {writer(format, whose).format(moment)}
    </time>
  )
}
