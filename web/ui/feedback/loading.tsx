import { clsx } from 'clsx'

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
    <output className={clsx('inline-flex animate-appear items-center gap-2 text-sm text-muted', className)}>
      <Ring className="text-accent" />
      {label}
    </output>
  )
}

/** A placeholder for content that is loading. It takes its space immediately and becomes visible after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('animate-appear rounded-md bg-hover', className)} aria-hidden="true" />
}
