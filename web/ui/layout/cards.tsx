import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { Skeleton } from '#web/ui/feedback/loading.tsx'

/** The grid of cards on a screen. */
export const cardGridClass = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3'

/** The main link of a card, which covers the whole card. */
export function CardLink({ className, children, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={clsx(
        'inline-flex items-center gap-1.5 rounded-sm text-sm font-semibold after:absolute after:inset-0 after:rounded-lg hover:text-accent-strong',
        className,
      )}
    >
      {children}
      <ArrowRight className="size-4" aria-hidden="true" />
    </Link>
  )
}

/** Six placeholders of cards: `children` above the line of their links. */
export function CardSkeletons({ className, children }: { className?: string; children: ReactNode }) {
  return Array.from({ length: 6 }, (_, index) => (
    <div
      key={index}
      className={clsx(
        'flex animate-appear flex-col rounded-lg border border-line bg-raised p-5 shadow-sm',
        className,
      )}
    >
      {children}
      <div className="mt-4 flex min-h-12 items-center border-t border-line pt-3 pointer-coarse:min-h-14">
        <Skeleton className="h-4 w-24" />
      </div>
    </div>
  ))
}
