import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pageWindow } from '#web/ui/page-window.ts'
import { SHOWN_ANCHOR, worldPath } from './paths.ts'
import type { ShownMilestone } from './project-page.ts'

const stepClass =
  'grid h-10 min-w-10 place-items-center rounded-md px-2 text-sm font-semibold tabular-nums pointer-coarse:h-11 pointer-coarse:min-w-11'

/** From one page of a long milestone to the others. */
export function PageLinks({ projectId, milestone }: { projectId: string; milestone: ShownMilestone }) {
  const { _id, isFirst, page, pageCount } = milestone
  if (pageCount === 1) return null
  const to = (number: number) =>
    `${worldPath(projectId, { ...(!isFirst && { milestone: _id }), page: number })}#${SHOWN_ANCHOR}`
  return (
    <nav
      aria-label="Pages of entries"
      className="flex justify-center gap-1 border-t border-line pt-5"
      data-print="hidden"
    >
      <Step to={page > 1 && to(page - 1)} label="Previous page">
        <ChevronLeft className="size-4.5" aria-hidden="true" />
      </Step>
      {pageWindow(page, pageCount).map((number) => (
        <Link
          key={number}
          to={to(number)}
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className={clsx(
            stepClass,
            number === page ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
          )}
        >
          {number}
        </Link>
      ))}
      <Step to={page < pageCount && to(page + 1)} label="Next page">
        <ChevronRight className="size-4.5" aria-hidden="true" />
      </Step>
    </nav>
  )
}

/** A step back or on; where there is none, its place stays. */
function Step({ to, label, children }: { to: string | false; label: string; children: ReactNode }) {
  if (to === false) return <span className={stepClass} />
  return (
    <Link to={to} aria-label={label} className={clsx(stepClass, 'text-muted hover:bg-hover hover:text-ink')}>
      {children}
    </Link>
  )
}
