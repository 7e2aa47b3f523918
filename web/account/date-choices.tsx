import type { Account } from '#contract/account.ts'
import { DATE_FORMATS, type DateFormat } from '#contract/date-formats.ts'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { zoneOf } from '#web/ui/layout/days.ts'
import { dateFormatter, Time, useNow } from '#web/ui/layout/time.tsx'
import { useChooseDates } from './mutations.ts'

/** In which time zone somebody sees times, and how dates are written for them. */
export function DateChoices({ account }: { account: Account }) {
  const { mutate, isPending, variables } = useChooseDates()
  const { timeZone, dateFormat } = { ...account, ...(isPending && variables) }
  const now = new Date(useNow())
  const written = (format?: DateFormat) =>
    dateFormatter('datetime', { timeZone: timeZone ?? undefined, dateFormat: format }).format(now)
  return (
    <div className="flex flex-col gap-5">
      <Field label="Time zone" hint="Times are shown in it, and a new entry gets the day that it is there.">
        <Select
          options={[
            { value: '', label: `As this browser: ${nameOf(zoneOf({}))}` },
            ...zonesWith(account.timeZone).map((zone) => ({ value: zone, label: nameOf(zone) })),
          ]}
          value={timeZone ?? ''}
          onChange={({ target }) => mutate({ timeZone: target.value || null })}
        />
      </Field>
      <Field label="Date format">
        <Select
          options={[
            { value: '', label: `As this browser: ${written()}` },
            ...DATE_FORMATS.map((format) => ({ value: format, label: written(format) })),
          ]}
          value={dateFormat ?? ''}
          onChange={({ target }) => mutate({ dateFormat: (target.value || null) as DateFormat | null })}
        />
      </Field>
      <p className="text-sm text-muted">
        Now it is <Time iso={now.toISOString()} format="datetime" />. Public pages do not change.
      </p>
    </div>
  )
}

const nameOf = (zone: string) => zone.replaceAll('_', ' ')

/** All time zones that this browser knows, with UTC, which some do not list, and the chosen one, which may have another name there. */
const zonesWith = (chosen: string | undefined): string[] => {
  const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  if (chosen !== undefined) known.add(chosen)
  return [...known].toSorted()
}
