import { useSyncExternalStore } from 'react'
import type { Account } from '#contract/account.ts'
import { DATE_FORMATS, type DateFormat } from '#contract/parts/date-formats.ts'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { Time, useNow } from '#web/ui/layout/time.tsx'
import { useChooseDates, useDatesBeingSaved } from './mutations.ts'
import { chooseTheme, readTheme, subscribeToTheme } from './theme.ts'

/** The form of the user's time zone and date format. */
export function DateSettings({ account }: { account: Account }) {
  const { mutate } = useChooseDates()
  const { timeZone, dateFormat } = { ...account, ...useDatesBeingSaved() }
  const now = new Date(useNow())
  const written = (format?: DateFormat) =>
    dateFormatter('datetime', { timeZone: timeZone ?? undefined, dateFormat: format }).format(now)
  return (
    <div className="flex flex-col gap-5">
      <Field label="Time zone" hint="Times are shown in this zone, and new entries are dated by it.">
        <Select
          options={[
            { value: '', label: `Same as this browser: ${nameOf(zoneOf({}))}` },
            ...zonesWith(account.timeZone).map((zone) => ({ value: zone, label: nameOf(zone) })),
          ]}
          value={timeZone ?? ''}
          onChange={({ target }) => mutate({ timeZone: target.value || null })}
        />
      </Field>
      <Field label="Date format">
        <Select
          options={[
            { value: '', label: `Same as this browser: ${written()}` },
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

/** Returns all time zones of this browser, UTC, which some do not list, and the chosen one, which may have another name there. */
const zonesWith = (chosen: string | undefined): string[] => {
  const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  if (chosen !== undefined) known.add(chosen)
  return [...known].sort()
}

const themes = [
  { value: '', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Chooses the theme of this browser. */
export function ThemeSetting() {
  const chosen = useSyncExternalStore(subscribeToTheme, readTheme, () => null)
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Theme</legend>
      <div className="inline-flex max-w-full flex-wrap rounded-md bg-sunken p-0.5">
        {themes.map(({ value, label }) => (
          <label key={label} className="cursor-pointer">
            <input
              type="radio"
              name="theme"
              className="peer sr-only"
              checked={value === chosen}
              onChange={() => chooseTheme(value)}
            />
            <span className="flex h-8 items-center rounded-sm px-3 text-sm font-semibold text-muted outline-offset-2 peer-checked:bg-raised peer-checked:text-ink peer-checked:shadow-sm peer-focus-visible:outline-2 peer-focus-visible:outline-focus hover:text-ink pointer-coarse:h-10 forced-colors:peer-checked:outline-2">
              {label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
