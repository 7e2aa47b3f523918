import { clsx } from 'clsx'

/** A placeholder for content that is loading. It takes its space immediately and becomes visible after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('animate-appear rounded-md bg-hover', className)} aria-hidden="true" />
}
