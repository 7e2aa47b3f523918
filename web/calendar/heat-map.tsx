import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type MouseEvent, use } from 'react'
import type { CountedDay } from '#contract/calendar.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { DateContext, PlannedDay } from '#web/ui/layout/time.tsx'
import { daysIn, levelOf, monthsIn, weekday, yearOf } from './days.ts'
import { dayName, monthName, numberOf } from './names.ts'

type HeatMapProps = {
  year: string
  counted: ReadonlyMap<string, CountedDay>
  isPending: boolean
  firstDay: number
  /** The years that can be shown. */
  range: { from: string; to: string }
  shown: string | undefined
  onShow: (monthOrDay: string) => void
}

/**
 * A year as a map: one cell a day, darker with more entries. It is a drawing that the pointer may use; the calendar below is for
 * keys, and the table for everybody who reads.
 */
export function HeatMap({ year, counted, isPending, firstDay, range, shown, onShow }: HeatMapProps) {
  const month = (offset: number) => `${Number(year) + offset}-${offset < 0 ? '12' : '01'}`
  return (
    <section aria-labelledby="year" aria-busy={isPending}>
      <div className="mb-3 flex flex-wrap items-center gap-x-1">
        <h2 id="year" className="mr-1 text-lg font-semibold tabular-nums">
          {year}
        </h2>
        <div className="flex" data-print="hidden">
          <IconButton
            label="Previous year"
            icon={<ChevronLeft className="rtl:-scale-x-100" />}
            size="sm"
            disabled={year <= range.from}
            onClick={() => onShow(month(-1))}
          />
          <IconButton
            label="Next year"
            icon={<ChevronRight className="rtl:-scale-x-100" />}
            size="sm"
            disabled={year >= range.to}
            onClick={() => onShow(month(1))}
          />
        </div>
        <Legend />
      </div>
      <div aria-hidden="true" className="break-inside-avoid" onClick={(event) => pressed(event, onShow)}>
        <MonthNames months={monthsIn(year)} className="hidden grid-cols-12 md:grid print:grid" />
        <div className={clsx(weeksOfYear, 'grid gap-y-4')}>
          {[0, 6].map((first) => (
            <HalfYear
              key={first}
              months={monthsIn(year).slice(first, first + 6)}
              counted={counted}
              firstDay={firstDay}
              shown={shown}
            />
          ))}
        </div>
      </div>
      {isPending ? (
        <div className="mt-3 h-9" />
      ) : (
        <DayTable days={[...counted.values()]} year={year} onShow={onShow} />
      )}
    </section>
  )
}

function pressed({ target }: MouseEvent, onShow: (day: string) => void) {
  const day = target instanceof HTMLElement ? target.dataset.day : undefined
  if (day !== undefined) onShow(day)
}

const levels = ['bg-hover', 'bg-accent/30', 'bg-accent/55', 'bg-accent/80', 'bg-accent'] as const

function Legend() {
  return (
    <p className="ms-auto flex items-center gap-1 text-xs text-muted">
      <span className="me-1">Fewer entries</span>
      {levels.map((level) => (
        <span key={level} className={clsx(cellClass, 'size-3', level)} />
      ))}
      <span className="ms-1">More</span>
    </p>
  )
}

const cellClass = 'rounded-[0.15rem] forced-color-adjust-none print:print-color-exact'

const weeksOfHalf = 'grid auto-cols-fr grid-flow-col grid-rows-7 gap-[0.15rem] sm:gap-[0.2rem]'
/** Where there is room, both halves are laid out in one grid. */
const weeksOfYear =
  'md:auto-cols-fr md:grid-flow-col md:grid-rows-7 md:gap-[0.2rem] print:auto-cols-fr print:grid-flow-col print:grid-rows-7 print:gap-[0.2rem]'
const dissolved = 'md:contents print:contents'

function MonthNames({ months, className }: { months: string[]; className: string }) {
  return (
    <div className={clsx('mb-1 text-xs text-muted', className)}>
      {months.map((month) => (
        <span key={month}>{monthName(month, 'short')}</span>
      ))}
    </div>
  )
}

/** The first day is in the row of its weekday; the others follow. */
const rows = [
  'row-start-1',
  'row-start-2',
  'row-start-3',
  'row-start-4',
  'row-start-5',
  'row-start-6',
  'row-start-7',
]

type HalfYearProps = {
  months: string[]
  counted: ReadonlyMap<string, CountedDay>
  firstDay: number
  shown: string | undefined
}

function HalfYear({ months, counted, firstDay, shown }: HalfYearProps) {
  const choice = use(DateContext)
  const days = months.flatMap(daysIn)
  const [first] = days
  return (
    <div className={dissolved}>
      <MonthNames months={months} className="grid grid-cols-6 md:hidden print:hidden" />
      <div className={clsx(weeksOfHalf, dissolved)}>
        {days.map((day) => {
          const entries = counted.get(day)?.entries ?? 0
          return (
            <span
              key={day}
              data-day={day}
              title={`${dayName(day, choice)}: ${numberOf(entries, 'entry', 'entries')}`}
              className={clsx(
                cellClass,
                'aspect-square cursor-pointer',
                day === first && rows[weekday(day, firstDay)],
                levels[levelOf(entries)],
                day === shown && 'outline-2 outline-offset-1 outline-ink',
              )}
            />
          )
        })}
      </div>
    </div>
  )
}

type DayTableProps = { days: CountedDay[]; year: string; onShow: (day: string) => void }

/** What the map shows, as a table. */
function DayTable({ days, year, onShow }: DayTableProps) {
  if (days.length === 0) return null
  return (
    <details className="mt-3 text-sm" data-print="hidden">
      <Summary>Show {year} as a table</Summary>
      <div className="mt-2 max-h-96 max-w-xl overflow-auto rounded-lg border border-line bg-raised">
        <table className="w-full tabular-nums">
          <caption className="sr-only">The days of {yearOf(days[0]?.day ?? year)} with entries</caption>
          <thead className="sticky top-0 bg-raised text-start text-muted">
            <tr>
              {['Day', 'Entries', 'Words', 'Pictures'].map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={clsx('px-3 py-2 font-medium', index === 0 ? 'text-start' : 'text-end')}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, entries, words, pictures }) => (
              <tr key={day} className="border-t border-line">
                <th scope="row" className="px-3 text-start font-normal">
                  <button
                    type="button"
                    className="rounded-sm py-2 text-accent hover:text-accent-strong pointer-coarse:py-3"
                    onClick={() => onShow(day)}
                  >
                    <PlannedDay on={day} />
                  </button>
                </th>
                {[entries, words, pictures].map((count, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
                  <td key={index} className="px-3 text-end">
                    {new Intl.NumberFormat().format(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
