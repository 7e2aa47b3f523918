import { clsx } from 'clsx'

type ProgressBarProps = { value: number; label?: string; valueText?: string; className?: string }

/** A progress bar: solid up to the marker, dashed beyond. It is SVG because the CSP allows no style attributes. */
export function ProgressBar({ value, label = 'Progress', valueText, className }: ProgressBarProps) {
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
      <div className="min-w-0 flex-1 px-1.5">
        <svg className="block h-3 w-full overflow-visible" aria-hidden="true">
          <line
            x1="0"
            x2="100%"
            y1="6"
            y2="6"
            className="stroke-edge [stroke-dasharray:1_5]"
            strokeWidth="2"
            strokeLinecap="round"
          />
          <line
            x1="0"
            x2={percent}
            y1="6"
            y2="6"
            className={value === 100 ? 'stroke-success' : 'stroke-accent'}
            strokeWidth="3"
            strokeLinecap="round"
          />
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
