import { useHydrated } from './use-hydrated.ts'

const formats = {
  date: { dateStyle: 'medium' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

type TimeProps = { iso: string; format?: 'date' | 'datetime'; className?: string }

/** A moment in the reader's own language and time zone; the server, which knows neither, writes English and UTC. */
export function Time({ iso, format = 'date', className }: TimeProps) {
  const hydrated = useHydrated()
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Date(iso).toLocaleString(
      hydrated ? undefined : 'en',
      hydrated ? options : { ...options, timeZone: 'UTC' },
    )
  return (
    <time dateTime={iso} title={write(formats.full)} className={className}>
      {write(formats[format])}
    </time>
  )
}
