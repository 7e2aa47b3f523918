import type { ReactNode } from 'react'
import { Summary } from '#web/ui/controls/summary.tsx'
import { PlannedDay } from '#web/ui/layout/time.tsx'
import type { Scale } from './scale.ts'

type LineOfTimeProps = {
  scale: Scale
  /** The places of days with entries, if they are known. Those outside of 0 to 100 are not on the line. */
  ticks?: readonly number[] | undefined
  onOpen?: () => void
}

const VIEWS = [
  { value: 'both', label: 'Both' },
  { value: 'planned', label: 'Planned' },
  { value: 'real', label: 'Reached' },
] as const

const plannedClass = 'group-has-[[value=real]:checked]/line:invisible'
const realClass = 'group-has-[[value=planned]:checked]/line:invisible'

/**
 * What was planned and reached, along one line of time: bars from start to due date, and flags where milestones were reached. It works
 * without scripts; a table has the same facts for screen readers and paper.
 */
export function LineOfTime({ scale, ticks = [], onOpen }: LineOfTimeProps) {
  const { from, to, rows, hidden } = scale
  const onLine = ticks.filter((place) => place >= 0 && place <= 100)
  return (
    <details
      className="group/line -mt-3 mb-5 text-sm print:[&::details-content]:[content-visibility:visible]"
      onToggle={onOpen && (({ currentTarget }) => currentTarget.open && onOpen())}
    >
      <Summary>Line of time</Summary>
      <fieldset data-print="hidden" className="mt-2 flex flex-wrap gap-x-5">
        <legend className="sr-only">What the line of time shows</legend>
        {VIEWS.map(({ value, label }) => (
          <label
            key={value}
            className="inline-flex cursor-pointer items-center gap-2 py-1 pointer-coarse:py-2.5"
          >
            <input
              type="radio"
              name="line-of-time"
              className="accent-accent"
              value={value}
              defaultChecked={value === 'both'}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div aria-hidden="true" className="mt-3 max-h-[60vh] overflow-y-auto print:hidden">
        <p className="mb-1 flex justify-between gap-4 text-xs text-muted sm:ms-44">
          <PlannedDay on={from} />
          {from !== to && <PlannedDay on={to} />}
        </p>
        {onLine.length > 0 && (
          <Drawn title={<span className="text-muted">Days with entries</span>} lines={scale.lines}>
            <Ticks places={onLine} />
          </Drawn>
        )}
        {rows.map(({ milestone: { _id, title }, planned, reached, isLate }) => (
          <Drawn key={_id} title={title} lines={scale.lines}>
            {planned && <Planned {...planned} />}
            {reached !== null && <Flag at={reached} isLate={isLate} />}
          </Drawn>
        ))}
        {hidden > 0 && (
          <p className="mt-1 text-xs text-muted">
            {hidden.toLocaleString('en')} more milestones are not drawn.
          </p>
        )}
      </div>
      <Facts rows={rows} />
    </details>
  )
}

type DrawnProps = { title: ReactNode; lines: readonly number[]; children: ReactNode }

/** One row: what it is of, and its drawing from the first to the last day. */
function Drawn({ title, lines, children }: DrawnProps) {
  return (
    <div className="items-center border-t border-line py-1 sm:flex sm:gap-4">
      <p dir="auto" className="truncate font-reading sm:w-40 sm:shrink-0">
        {title}
      </p>
      <svg height="24" className="block w-full overflow-visible px-1.5 rtl:-scale-x-100">
        {lines.map((place) => (
          <line key={place} x1={`${place}%`} x2={`${place}%`} y1="-4" y2="28" className="stroke-line" />
        ))}
        {children}
      </svg>
    </div>
  )
}

/** A tick for each place, as one path that is stretched to the width, because there may be a thousand. */
function Ticks({ places }: { places: readonly number[] }) {
  const path = [...new Set(places.map((place) => Math.round(place * 10)))].map((x) => `M${x} 6v12`).join('')
  return (
    <svg
      width="100%"
      height="24"
      viewBox="0 0 1000 24"
      preserveAspectRatio="none"
      className="overflow-visible"
    >
      <path d={path} vectorEffect="non-scaling-stroke" strokeWidth="2" className="stroke-accent/60" />
    </svg>
  )
}

/** A bar of what was planned; of one day alone a dot. */
function Planned({ from, to }: { from: number; to: number }) {
  if (from === to) return <circle cx={`${from}%`} cy="12" r="4" className={`fill-edge ${plannedClass}`} />
  return (
    <rect
      x={`${from}%`}
      width={`${to - from}%`}
      y="8"
      height="8"
      rx="4"
      className={`fill-edge/45 stroke-edge ${plannedClass}`}
    />
  )
}

function Flag({ at, isLate }: { at: number; isLate: boolean }) {
  return (
    <svg x={`${at}%`} className={`overflow-visible ${realClass}`}>
      <path
        d="M0 23V2l9 4-9 4"
        strokeWidth="2"
        strokeLinejoin="round"
        className={isLate ? 'fill-danger stroke-danger' : 'fill-success stroke-success'}
      />
    </svg>
  )
}

/** The same facts as a table, for screen readers and paper. */
function Facts({ rows }: Pick<Scale, 'rows'>) {
  return (
    <div className="sr-only print:not-sr-only">
      <table className="text-start [&_:is(td,th)]:pe-6 [&_th]:text-start">
        <caption className="sr-only">Line of time</caption>
        <thead>
          <tr>
            <th scope="col">Milestone</th>
            <th scope="col">Start date</th>
            <th scope="col">Due date</th>
            <th scope="col">Reached</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ milestone: { _id, title, startsOn, dueOn }, reachedOn, isLate }) => (
            <tr key={_id}>
              <th scope="row" dir="auto">
                {title}
              </th>
              <td>{startsOn && <PlannedDay on={startsOn} />}</td>
              <td>{dueOn && <PlannedDay on={dueOn} />}</td>
              <td>
                {reachedOn && <PlannedDay on={reachedOn} />}
                {isLate && ' (late)'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
