import { dateFormatter } from '#web/ui/layout/date-formatter.ts'

const reader = {}

/** Writes the dates of a page, which the server wrote in English and UTC, in the reader's locale and time zone, as `Time` and `Day` do. */
export function writeDates(page: ParentNode): void {
  for (const element of page.querySelectorAll<HTMLTimeElement>('main time[datetime][title]')) {
    const { dateTime } = element
    const isDay = dateTime.length === 'YYYY-MM-DD'.length
    const moment = new Date(dateTime)
    // The time zone of the author follows the day.
    const [zone = ''] = (isDay && / \([^()]+\)$/.exec(element.title)) || []
    element.title = dateFormatter(isDay ? 'fullDay' : 'full', reader).format(moment) + zone
    element.textContent = dateFormatter(isDay ? 'day' : 'date', reader).format(moment)
  }
}
