import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { WorldEntry } from '#contract/world.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { MilestoneDivider } from '#web/world/milestone-divider.tsx'
import { SHOWN_ANCHOR, worldEntryPath, worldPath } from '#web/world/paths.ts'

type StoryNeighborsProps = Pick<WorldEntry, 'previous' | 'next'> & { projectId: string }

/** Where a story goes on after an entry, if need be with the next milestone, and what came before. */
export function StoryNeighbors({ projectId, previous, next }: StoryNeighborsProps) {
  return (
    <nav aria-label="The story" className="mt-16" data-print="hidden">
      {next?.milestone && (
        <MilestoneDivider
          to={`${worldPath(projectId, { milestone: next.milestone._id })}#${SHOWN_ANCHOR}`}
          label="Next milestone"
          title={next.milestone.title}
        />
      )}
      {next ? (
        <Link
          to={worldEntryPath(projectId, next._id)}
          rel="next"
          className="group mt-6 flex items-center justify-between gap-4 rounded-xl border border-line bg-raised px-5 py-4 shadow-sm hover:border-edge"
        >
          <span className="flex min-w-0 flex-col gap-0.5">
            <span className="text-sm text-muted">Next entry</span>
            <span dir="auto" className="font-reading text-xl font-medium group-hover:text-accent">
              {next.title}
            </span>
          </span>
          <ArrowRight className="size-5 shrink-0 text-accent rtl:-scale-x-100" aria-hidden="true" />
        </Link>
      ) : (
        <p className="border-t-2 border-dashed border-edge pt-6 text-muted">This is the last entry so far.</p>
      )}
      {previous && (
        <Link
          to={worldEntryPath(projectId, previous._id)}
          rel="prev"
          className="mt-3 flex w-fit max-w-full items-center gap-1.5 rounded-sm py-2.5 text-sm text-muted hover:text-ink hover:underline"
        >
          <ArrowLeft className="size-4 shrink-0" aria-hidden="true" />
          <span>
            Previous entry: <bdi>{previous.title}</bdi>
          </span>
        </Link>
      )}
    </nav>
  )
}
