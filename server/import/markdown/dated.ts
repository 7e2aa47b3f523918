import type { ArchiveItem } from '#server/import/archive.ts'
import { isWeekday } from '#server/import/converting/calendar-words.ts'
import { dateOf, isDayFirstThere, orderOf, tellOrder } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { readWritten } from '#server/import/converting/written-dates.ts'
import type { Happened } from '#server/import/items.ts'
import type { FrontMatter } from './front-matter.ts'

/** What front matter calls the date of a text, the best first, and then when it was changed. Without spaces and the like: `date created`, `created_at`. */
const NAMES =
  `date datetime created createdat createdon createdtime createddate datecreated creationdate creationtime ctime
  publishdate publishedat publisheddate published publishedon datepublished pubdate timestamp datum erstellt`.split(
    /\s+/,
  )
const NAMES_OF_CHANGE = `updated updatedat updatedon updatedtime dateupdated modified modifiedat datemodified
  lastmod lastmodified lastupdated lastedited mtime`.split(/\s+/)

/** Returns what front matter has by these names, in their order. */
function valuesIn(matter: FrontMatter, names: string[]): unknown[] {
  const bare = new Map(Object.entries(matter).map(([name, value]) => [name.replaceAll(/[\s_-]/g, ''), value]))
  return names
    .map((name) => bare.get(name))
    .filter((value) => value !== undefined && value !== null && value !== true && value !== false)
    .filter((value) => typeof value !== 'string' || !NO_DATE.test(value))
}

/** `published` may be a date, and may say whether it was. */
const NO_DATE = /^(?:|true|false|yes|no|y|n|on|off|0|1)$/i

/** A name that begins with a day, with a time as Memos wrote it, or with the digits of a day and a time. */
const DATED =
  /^(\d{4}([-_.])\d{2}\2\d{2}(?:T\d{2}[:_-]\d{2}[:_-]\d{2}(?:Z|[+-]\d{2}[:_-]?\d{2}))?|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?=(?:\d{4}|\d{6})?(?:[-_ ]|$)))\d{0,6}(?:[-_,. ]+(.*))?$/s

/** Returns the date in the name of a file, and what is left of the name as a title: all of it, if it is a date and nothing else. */
export function datedName(stem: string): { dated: string | undefined; title: string } {
  const [, dated, , rest = ''] = DATED.exec(stem) ?? []
  if (dated !== undefined && rest !== '' && !isWeekday(rest))
    return { dated: withColons(dated), title: /\s/.test(rest) ? rest : rest.replaceAll(/[-_]+/g, ' ') }
  if (dated !== undefined) return { dated: withColons(dated), title: stem.replaceAll(/(?<=\d)_(?=\d)/g, '-') }
  const atEnd = /(?<![\d-])\d{4}-\d\d-\d\d$/.exec(stem)?.[0]
  return { dated: readWritten(stem, true) ? stem : atEnd, title: stem }
}

const withColons = (dated: string) => dated.replaceAll(/(?<=T\d{2})[_-]|(?<=T\d{2}[:_-]\d{2})[_-]/g, ':')

type Dated = { item: ArchiveItem; dated: string | undefined; matter: FrontMatter }

/** Finds when texts of an archive happened: by their front matter, their names, or the time of their files. */
export function createDating(
  { zone, problems }: Converting,
  /** All texts of the archive. */
  all: () => AsyncIterable<Omit<Dated, 'item'>>,
) {
  let isDayFirst: Promise<boolean> | undefined
  return async ({ item, dated, matter }: Dated): Promise<Happened | null> => {
    const written = valuesIn(matter, NAMES)
    const values = [...written, dated, ...valuesIn(matter, NAMES_OF_CHANGE), item.modifiedAt, new Date()]
    const value = values.find((one) => dateOf(one, zone) !== null)
    if (written.length > 0 && !written.includes(value)) {
      const kept = value === item.modifiedAt ? 'that of its file' : 'that of its name or of its last change'
      problems.add(`its date cannot be read, and it gets ${kept}`, item.path)
    }
    if (orderOf(value) !== 'either') return dateOf(value, zone)
    isDayFirst ??= isDayFirstIn(all(), zone)
    const happened = dateOf(value, zone, await isDayFirst)
    if (happened) tellOrder(value, happened, { problems }, item.path)
    return happened
  }
}

/** Whether days come first in an archive: as in its dates that can be read one way only, else as in the time zone of its person. */
async function isDayFirstIn(all: AsyncIterable<Omit<Dated, 'item'>>, zone: string): Promise<boolean> {
  const orders = new Set<unknown>()
  for await (const { dated, matter } of all)
    for (const value of [dated, ...valuesIn(matter, [...NAMES, ...NAMES_OF_CHANGE])])
      orders.add(orderOf(value))
  return orders.has('day') === orders.has('month') ? isDayFirstThere(zone) : orders.has('day')
}
