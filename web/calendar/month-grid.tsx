import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, use, useEffect, useRef, useState } from 'react'
import type { CountedDay } from '#contract/calendar.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { DateContext } from '#web/ui/layout/time.tsx'
import { monthOf, plusDays, plusMonths, sameDayIn, weekday, weeksOf } from './days.ts'
import { dayName, monthName, numberOf, weekdayName } from './names.ts'

type MonthGridProps = {
  month: string
  counted: ReadonlyMap<string, CountedDay>
  firstDay: number
  today: string
  shown: string | undefined
  onShow: (monthOrDay: string) => void
}

/** A month as a grid of days, of which one has the focus; arrows, Home, End and the page keys move it. */
export function MonthGrid({ month, counted, firstDay, today, shown, onShow }: MonthGridProps) {
  const [focused, setFocused] = useState<string>()
  const grid = useRef<HTMLTableElement>(null)
  const isMoving = useRef(false)
  const inMonth = (day: string | undefined) => day !== undefined && monthOf(day) === month
  const current = [focused, shown, today].find(inMonth) ?? `${month}-01`
  const weeks = weeksOf(month, firstDay)

  useEffect(() => {
    // Another month is shown a moment after it was asked for.
    if (!isMoving.current || focused !== current) return
    isMoving.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus()
  }, [focused, current])

  function move(event: KeyboardEvent) {
    const isReversed = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = dayAfter(event.key, current, { firstDay, isReversed })
    if (next === undefined) return
    event.preventDefault()
    isMoving.current = true
    setFocused(next)
    if (!inMonth(next)) onShow(monthOf(next))
  }

  return (
    <section aria-labelledby="month" className="break-inside-avoid" data-print="hidden">
      <MonthHeading month={month} onShow={onShow} />
      <table
        ref={grid}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid of buttons, as the ARIA patterns have it
        role="grid"
        aria-labelledby="month"
        className="w-full table-fixed border-separate border-spacing-0.5"
        onKeyDown={move}
      >
        <WeekdayNames firstDay={firstDay} />
        <tbody>
          {weeks.map((week, index) => (
            <tr key={week.find((day) => day !== null) ?? index}>
              {week.map((day, place) =>
                day === null ? (
                  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a day of the month beside it
                  <td key={place} />
                ) : (
                  <td key={place} aria-selected={day === shown} className="p-0">
                    <DayButton
                      day={day}
                      entries={counted.get(day)?.entries ?? 0}
                      isShown={day === shown}
                      isToday={day === today}
                      isCurrent={day === current}
                      onPress={() => {
                        setFocused(day)
                        onShow(day)
                      }}
                    />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type MonthHeadingProps = Pick<MonthGridProps, 'month' | 'onShow'>

const MonthHeading = ({ month, onShow }: MonthHeadingProps) => (
  <div className="mb-2 flex items-center justify-between">
    <h2 id="month" aria-live="polite" className="text-lg font-semibold">
      {monthName(month, 'with year')}
    </h2>
    <div className="flex">
      <IconButton
        label="Previous month"
        icon={<ChevronLeft className="rtl:-scale-x-100" />}
        onClick={() => onShow(plusMonths(month, -1))}
      />
      <IconButton
        label="Next month"
        icon={<ChevronRight className="rtl:-scale-x-100" />}
        onClick={() => onShow(plusMonths(month, 1))}
      />
    </div>
  </div>
)

const WeekdayNames = ({ firstDay }: { firstDay: number }) => (
  <thead>
    <tr>
      {Array.from({ length: 7 }, (_, place) => {
        // 2 January 2023 was a Monday.
        const day = plusDays('2023-01-01', (firstDay % 7) + place)
        return (
          <th
            key={place}
            scope="col"
            abbr={weekdayName(day, 'long')}
            className="py-1 text-xs font-medium text-muted"
          >
            {weekdayName(day, 'short')}
          </th>
        )
      })}
    </tr>
  </thead>
)

type Week = { firstDay: number; isReversed: boolean }

/** Returns the day to which a key moves. */
function dayAfter(key: string, day: string, { firstDay, isReversed }: Week): string | undefined {
  const forwards = isReversed ? -1 : 1
  switch (key) {
    case 'ArrowLeft':
      return plusDays(day, -forwards)
    case 'ArrowRight':
      return plusDays(day, forwards)
    case 'ArrowUp':
      return plusDays(day, -7)
    case 'ArrowDown':
      return plusDays(day, 7)
    case 'Home':
      return plusDays(day, -weekday(day, firstDay))
    case 'End':
      return plusDays(day, 6 - weekday(day, firstDay))
    case 'PageUp':
      return sameDayIn(plusMonths(monthOf(day), -1), day)
    case 'PageDown':
      return sameDayIn(plusMonths(monthOf(day), 1), day)
    default:
      return undefined
  }
}

/** A dot stands for an entry, up to some. */
const DOTS_MAX = 4

type DayButtonProps = {
  day: string
  entries: number
  isShown: boolean
  isToday: boolean
  /** Whether it takes the focus of the grid. */
  isCurrent: boolean
  onPress: () => void
}

function DayButton({ day, entries, isShown, isToday, isCurrent, onPress }: DayButtonProps) {
  const choice = use(DateContext)
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${dayName(day, choice)}, ${numberOf(entries, 'entry', 'entries')}`}
      aria-current={isToday ? 'date' : undefined}
      className={clsx(
        'flex h-11 w-full flex-col items-center justify-center rounded-md border text-sm tabular-nums',
        isShown
          ? 'border-accent bg-accent text-accent-ink'
          : entries > 0
            ? 'border-transparent bg-accent-soft font-semibold text-accent hover:border-accent'
            : 'border-transparent text-muted hover:bg-hover',
        isToday && !isShown && 'border-edge',
      )}
      onClick={onPress}
    >
      {Number(day.slice(8))}
      <span className="flex h-1 gap-0.5" aria-hidden="true">
        {Array.from({ length: Math.min(entries, DOTS_MAX) }, (_, index) => (
          <span key={index} className="size-1 rounded-full bg-current" />
        ))}
      </span>
    </button>
  )
}
