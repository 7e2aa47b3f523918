import { isZone } from '#contract/parts/date-formats.ts'
import { isWeekday, monthNamed } from './calendar-words.ts'

/** `either`: it is a date by both orders of day and month. */
export type DateOrder = 'day' | 'month' | 'either'

/** A date as somebody wrote it. */
export type WrittenDate = {
  /** `YYYY-MM-DD`, not necessarily a day that exists. */
  on: string
  /** Seconds since midnight; absent without a time. */
  seconds?: number
  /** Minutes from UTC. */
  offset?: number
  zone?: string
  /** What comes first in `17/05/2024`; absent where everybody knows. */
  order?: DateOrder
  /** What follows it. */
  rest: string
}

/** Longer texts are no dates. */
const LONGEST = 100

type Ordered = { year: string; month: string | number | undefined; day: string; order?: DateOrder }
type Groups = { [name: string]: string | undefined }

/** The shapes of a day, each with how it is read. `isDayFirst`: the order where nothing else tells it. */
const SHAPES: [RegExp, (groups: Groups, isDayFirst: boolean) => Ordered | null][] = [
  // 2024-05-17, 2024/5/17, 2024_05_17, 2024年5月17日, 2024. 5. 17.
  [
    /^(?<year>\d{4})(?: ?[-/._年] ?|년 ?)(?<month>\d{1,2})(?: ?[-/._月] ?|월 ?)(?<day>\d{1,2})(?!\d)[日일.]?/u,
    ({ year = '', month, day = '' }) => ({ year, month, day }),
  ],
  // 20240517, and with the digits of a time after it
  [
    /^(?<year>1[789]\d\d|2[01]\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?=$|[T_ -]|\d{4}(?:\d\d)?$)/u,
    ({ year = '', month, day = '' }) => ({ year, month, day }),
  ],
  // 17.05.2024, 17/05/2024, 05-17-2024
  [/^(?<one>\d{1,2})(?<mark>[./-]) ?(?<other>\d{1,2})\k<mark> ?(?<year>\d{4})(?!\d)/u, ofNumbers],
  // 17 May 2024, 17th of May, 2024, 17. Mai 2024, 17 de mayo de 2024, 17-May-2024
  [
    /^(?<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[ -]*(?:de |of |d['’] ?)?(?<word>\p{L}[\p{L}\p{M}]*)\.?,?[ -]*(?:de |del )?(?<year>\d{4})(?!\d)/iu,
    ofWords,
  ],
  // 17 May 24 10:00, as RFC 822 had it, and so RSS
  [
    /^(?<day>\d{1,2}) (?<word>[A-Z][a-z]{2}) (?<year>\d\d)(?= \d\d:\d\d)/u,
    ({ year = '', ...rest }) => ofWords({ ...rest, year: `${Number(year) < 70 ? 20 : 19}${year}` }),
  ],
  // May 17th, 2024, May-17-2024
  [
    /^(?<word>\p{L}[\p{L}\p{M}]*)\.?[ -]*(?<day>\d{1,2})(?:st|nd|rd|th)?(?:, ?|\.?[ -]+)(?<year>\d{4})(?!\d)/iu,
    ofWords,
  ],
  // 2024-May-17, 2024. május 17.
  [
    /^(?<year>\d{4})[ .,-]*(?<word>\p{L}[\p{L}\p{M}]*)\.?[ -]*(?<day>\d{1,2})(?:st|nd|rd|th)?\.?(?!\d)/iu,
    ofWords,
  ],
]

function ofNumbers({ one = '', other = '', mark, year = '' }: Groups, isDayFirst: boolean): Ordered {
  const dayFirst = { year, month: other, day: one }
  const monthFirst = { year, month: one, day: other }
  // Only days are written with dots, and no month is beyond twelve.
  if (mark === '.' || Number(one) === Number(other)) return dayFirst
  if (Number(one) > 12) return { ...dayFirst, order: 'day' }
  if (Number(other) > 12) return { ...monthFirst, order: 'month' }
  return { ...(isDayFirst ? dayFirst : monthFirst), order: 'either' }
}

function ofWords({ year = '', word = '', day = '' }: Groups): Ordered | null {
  const month = monthNamed(word)
  return month === undefined ? null : { year, month, day }
}

/** Reads a date as people, programs and their file names write it; null if it is none. */
export function readWritten(value: string, isDayFirst: boolean): WrittenDate | null {
  const text = withoutWeekday(withoutMarks(value))
  if (text.length > LONGEST) return null
  for (const [shape, read] of SHAPES) {
    const found = shape.exec(text)
    const ordered = found && read(found.groups ?? {}, isDayFirst)
    if (!found || !ordered) continue
    const { year, month, day, order } = ordered
    const on = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
    return { on, ...(order && { order }), ...readTime(withoutWeekday(text.slice(found[0].length))) }
  }
  return null
}

/** Without what surrounds a date: quotes, the brackets of a link, the `@` of Notion, the angle brackets of Org. */
function withoutMarks(value: string): string {
  const text = value
    .slice(0, LONGEST * 2)
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return (
    text
      .replace(/^!?\[([^[\]]+)\]\([^()]*\)$/u, '$1')
      .replace(/^[["'“<@([ ]+/u, '')
      .replace(/[\]"'”>) ]+$/u, '')
      // Fri May 17 15:42:00 CEST 2024, as `date` writes it, and with the offset at its end as git does.
      .replace(/(?<=\p{L} ?\d{1,2} )(\d{1,2}:\d\d(?::\d\d)?(?: [A-Z]{3,4})?) (\d{4})/u, '$2 $1')
  )
}

/** Without a day of the week before a date, or between it and its time. */
function withoutWeekday(text: string): string {
  const [before, word = ''] = /^[ ,(]*(\p{L}[\p{L}\p{M}]*)[.,)]* ?/u.exec(text) ?? []
  return before !== undefined && isWeekday(word) ? text.slice(before.length).replace(/^den /iu, '') : text
}

const TIME =
  /^(?:[T,_@ -]|um |at |à |às |kl\.? |klo |alle |a las )*(?<before>上午|午前|오전|下午|午後|오후)? ?(?<hour>\d{1,2})(?:[:h.](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:[.,]\d+)?)?)?(?!\d) ?(?<after>[ap]\.? ?m\b\.?)?/iu
/** The digits of a time after those of a day. */
const DIGITS = /^[T_ -]?(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d)(?<second>[0-5]\d)?(?!\d)/u
const OFFSET = /^ ?(?:(?:UTC|GMT) ?)?(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d)?(?!\d)/u
const ABBREVIATION = /^ ?(?<name>[A-Z]{1,4})\b/u
const NAMED_ZONE = /^ ?\[?(?<zone>[A-Z][A-Za-z]+(?:\/[A-Za-z_+-]+)+)\]?/u

/** The abbreviations that mean one offset: those of RFC 822, and those of Europe and Japan. */
const OFFSETS = new Map(
  'Z=0 UTC=0 UT=0 GMT=0 EST=-5 EDT=-4 CST=-6 CDT=-5 MST=-7 MDT=-6 PST=-8 PDT=-7 WET=0 WEST=1 CET=1 CEST=2 EET=2 EEST=3 MSK=3 JST=9 KST=9'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

function readTime(rest: string): Pick<WrittenDate, 'rest' | 'seconds' | 'offset' | 'zone'> {
  const found = DIGITS.exec(rest) ?? TIME.exec(rest)
  const { hour, minute, second = '0', before, after } = found?.groups ?? {}
  if (!found || (minute === undefined && after === undefined && before === undefined)) return { rest }
  const half = /^(?:下午|午後|오후|p)/iu.test(before ?? after ?? '')
  const is12 = before !== undefined || after !== undefined
  const hours = is12 ? (Number(hour) % 12) + (half ? 12 : 0) : Number(hour)
  if (hours > 24 || Number(minute ?? 0) > 59) return { rest }
  const seconds = hours * 3_600 + Number(minute ?? 0) * 60 + Number(second)
  return { seconds, ...readZone(rest.slice(found[0].length)) }
}

function readZone(rest: string): Pick<WrittenDate, 'rest' | 'offset' | 'zone'> {
  const shifted = OFFSET.exec(rest)
  if (shifted) {
    const { sign, hours, minutes = '0' } = shifted.groups ?? {}
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    return { offset, rest: rest.slice(shifted[0].length) }
  }
  const zone = NAMED_ZONE.exec(rest)
  if (zone?.groups?.zone && isZone(zone.groups.zone))
    return { zone: zone.groups.zone, rest: rest.slice(zone[0].length) }
  const short = ABBREVIATION.exec(rest)
  const hours = OFFSETS.get(short?.groups?.name ?? '')
  return short && hours !== undefined
    ? { offset: Number(hours) * 60, rest: rest.slice(short[0].length) }
    : { rest }
}
