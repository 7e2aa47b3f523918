/** The languages in which months and days of the week are understood. No name of a month is that of another in a second one. */
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk sl hu ro bg ru uk be tr el ca et lv lt id ja ko zh'.split(' ')

/** A name without its case, accents and dots. */
const bare = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .toLowerCase()

/** Returns what dates of these languages are called in a part of them: alone, and with a day and a year beside them. */
function namesOf(part: 'month' | 'weekday', days: Date[]): Map<string, number> {
  const names = new Map<string, number>()
  for (const language of LANGUAGES)
    for (const width of ['long', 'short'] as const)
      for (const beside of [{}, { day: 'numeric', year: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { [part]: width, timeZone: 'UTC', ...beside })
        for (const [at, day] of days.entries()) {
          const name = format.formatToParts(day).find(({ type }) => type === part)?.value ?? ''
          // A single letter, as in Hungarian, may be anything.
          if (/^(?![a-z]$)[\p{L}\p{M}.]+$/iu.test(name)) names.set(bare(name), at)
        }
      }
  return names
}

let months: Map<string, number> | undefined
let weekdays: Map<string, number> | undefined

/** Returns the number of a month by its name, long or short: `May`, `août`, `сент.`; undefined if it is none. */
export function monthNamed(name: string): number | undefined {
  months ??= namesOf(
    'month',
    Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15))),
  ).set('sept', 8)
  const found = months.get(bare(name))
  return found === undefined ? undefined : found + 1
}

/** Whether this is the name of a day of the week. */
export function isWeekday(name: string): boolean {
  weekdays ??= namesOf(
    'weekday',
    Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1))),
  )
  return weekdays.has(bare(name))
}
