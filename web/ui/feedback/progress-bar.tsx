import { clsx } from 'clsx'

type ProgressBarProps = {
  value: number
  label?: string
  valueText?: string
  /** The total number of steps; up to a dozen are drawn as dots. */
  steps?: number
  className?: string
}

const MAX_DOTS = 12

/** A progress bar: solid up to the marker, dashed beyond. It is SVG because the CSP allows no style attributes. */
export function ProgressBar({
  value,
  label = 'Progress',
  valueText,
  steps = 0,
  className,
}: ProgressBarProps) {
  const percent = `${value}%`
  return (
    <div className={clsx('flex items-center gap-3', className)}>
      <progress
        className="sr-only"
        aria-label={label}
        aria-valuetext={valueText ?? percent}
        max={100}
        value={value}
      />
      {/* The line is aligned with the text; the marker stays inside it at both ends. */}
      <div className="min-w-0 flex-1 px-1.5">
        <svg className="block h-3 w-full overflow-visible" aria-hidden="true">
          <line
            x1="-4.5"
            x2="100%"
            y1="6"
            y2="6"
            className="stroke-edge [stroke-dasharray:1_5]"
            strokeWidth="2"
            strokeLinecap="round"
          />
          <line
            x1="-4.5"
            x2={percent}
            y1="6"
            y2="6"
            className={value === 100 ? 'stroke-success' : 'stroke-accent'}
            strokeWidth="3"
            strokeLinecap="round"
          />
          {steps <= MAX_DOTS && <Dots count={steps} value={value} />}
          <circle
            cx={percent}
            cy="6"
            r="4.5"
            strokeWidth="2.5"
            className={value === 100 ? 'fill-success stroke-success' : 'fill-raised stroke-accent'}
          />
        </svg>
      </div>
      <span className="min-w-9 text-right text-sm font-medium text-muted tabular-nums" aria-hidden="true">
        {percent}
      </span>
    </div>
  )
}

/** A dot for each step, filled up to the marker. */
function Dots({ count, value }: { count: number; value: number }) {
  return Array.from({ length: count }, (_, index) => {
    const at = (100 * (index + 1)) / count
    return (
      <circle
        key={index}
        cx={`${at}%`}
        cy="6"
        r="3"
        strokeWidth="1.5"
        className={
          Math.round(at) > value
            ? 'fill-raised stroke-edge'
            : value === 100
              ? 'fill-success stroke-success'
              : 'fill-accent stroke-accent'
        }
      />
    )
  })
}
