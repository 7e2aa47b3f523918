/** How dates can be written in any language: `2026-11-23`, or `23/11/2026`; both with a clock of 24 hours. */
export const DATE_FORMATS = ['iso', 'day-first'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** In which time zone somebody wants times, and how dates; undefined: as their browser has them. */
export type DateChoice = { timeZone?: string | undefined; dateFormat?: DateFormat | undefined }

/** Returns a locale whose short dates have a format: the Swedish ones are those of ISO 8601. */
export const localeOf = (format: DateFormat): string => (format === 'iso' ? 'sv' : 'en-GB')

/** The calendar day, `YYYY-MM-DD`, that a clock in the time zone shows at an instant. */
export function dayIn(zoneName: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zoneName,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}
