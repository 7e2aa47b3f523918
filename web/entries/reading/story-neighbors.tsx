import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { Neighbour } from '#contract/entries.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { MilestoneDivider } from './milestone-divider.tsx'

type StoryNeighborsProps = {
  previous: Neighbour | null
  next: Neighbour | null
  pathOf: (entry: Neighbour) => string
  milestonePathOf: (milestoneId: string) => string
}

/** Where a story goes on after an entry, if need be with the next milestone, and what came before. */
export function StoryNeighbors({ previous, next, pathOf, milestonePathOf }: StoryNeighborsProps) {
  return (
    <nav aria-label="The story" className="mt-16" data-print="hidden">
      {next?.milestone && (
        <MilestoneDivider
          to={milestonePathOf(next.milestone._id)}
          label="Next milestone"
          title={next.milestone.title}
        />
      )}
      {next ? (
        <Link
          to={pathOf(next)}
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
          to={pathOf(previous)}
          rel="prev"
          className="mt-3 flex w-fit max-w-full items-center gap-1.5 rounded-sm py-2.5 text-sm text-muted hover:text-ink hover:underline"
        >
          <ArrowLeft className="size-4 shrink-0" aria-hidden="true" />
          <span className="min-w-0">
            Previous entry: <bdi>{previous.title}</bdi>
          </span>
        </Link>
      )}
    </nav>
  )
}
