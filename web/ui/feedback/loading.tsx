import { clsx } from 'clsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'

/** The spinner without a label, for a control that has its own. */
export function Ring({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="2"
      className={clsx('size-4 shrink-0 animate-spin', className)}
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.5" className="stroke-current opacity-25" />
      <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" className="stroke-current" strokeLinecap="round" />
    </svg>
  )
}

/** A spinner with a label; it becomes visible after 200 ms. */
export function Spinner({ label = 'Loading', className }: { label?: string; className?: string }) {
  return (
    <output
      className={clsx(
        'inline-flex animate-appear items-center gap-2 text-start text-sm text-muted',
        className,
      )}
    >
      <Ring className="text-accent" />
      {label}
    </output>
  )
}

/** A placeholder for a text that is loading: lines as long as those of a paragraph. */
export function SkeletonText({ lines, className }: { lines: number; className?: string }) {
  return (
    <div className={clsx('flex flex-col gap-3', className)}>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} className={clsx('h-4', lineWidths[index % lineWidths.length])} />
      ))}
    </div>
  )
}

const lineWidths = ['w-full', 'w-11/12', 'w-full', 'w-10/12', 'w-7/12']

/** A placeholder for content that is loading. It takes its space immediately and becomes visible after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('animate-appear rounded-md bg-hover', className)} aria-hidden="true" />
}

type SkeletonListProps = { label: string; count: number; className?: string; itemClassName: string }

/** The skeletons of a list that is loading, announced by a label. */
export function SkeletonList({
  label,
  count,
  className = 'flex flex-col gap-3',
  itemClassName,
}: SkeletonListProps) {
  return (
    <output className={className}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={itemClassName} />
      ))}
    </output>
  )
}
