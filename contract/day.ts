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
