import { clsx } from 'clsx'

/** The place of something that is coming, in its size; it takes its room at once and shows itself after 200 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('animate-appear rounded-md bg-hover', className)} aria-hidden="true" />
}
