import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link, NavigationType, type To, useNavigationType } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { EntryList } from '#web/entries/list/entry-list.tsx'
import { ClampedText } from './clamped-text.tsx'

type EntriesPanelProps = {
  projectId: string
  milestone: Milestone | undefined
  canEdit: boolean
  /** On a phone, the link back to the timeline. */
  wayBack: To
}

/** The entries of the selected milestone. */
export function EntriesPanel({ projectId, milestone, canEdit, wayBack }: EntriesPanelProps) {
  if (!milestone) {
    return (
      <p
        data-print="hidden"
        className="text-center text-muted lg:my-6 lg:grid lg:min-h-72 lg:place-items-center lg:rounded-lg lg:border lg:border-dashed lg:border-line lg:p-6"
      >
        Select a milestone from the timeline to view its entries
      </p>
    )
  }
  return (
    <section aria-labelledby="selected-milestone" className="min-w-0 scroll-mt-16 lg:py-6">
      <Link
        to={wayBack}
        data-print="hidden"
        className="mb-4 inline-flex min-h-11 items-center gap-2 rounded-sm font-semibold text-accent lg:hidden"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        All milestones
      </Link>
      <MilestoneHeading key={milestone._id} milestone={milestone} />
      <EntryList key={milestone._id} projectId={projectId} milestone={milestone} canEdit={canEdit} />
    </section>
  )
}

function MilestoneHeading({ milestone: { title, description } }: { milestone: Milestone }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useScrollToEntries(heading)

  return (
    <header className="mb-6 max-w-reading">
      <h2
        ref={heading}
        id="selected-milestone"
        tabIndex={-1}
        className="font-reading text-2xl font-medium outline-none"
      >
        {title}
      </h2>
      <div className="mt-1 text-muted">
        <ClampedText text={description} />
      </div>
    </header>
  )
}

/** Scrolls to the entries of a milestone that was just selected; Back and Forward restore their own positions. */
function useScrollToEntries(heading: RefObject<HTMLElement | null>) {
  const wasChosen = useNavigationType() === NavigationType.Push

  useEffect(() => {
    const panel = heading.current?.closest('section')
    if (!wasChosen || !panel) return
    // On a phone the entries replace the timeline, and with it the link that had the focus.
    const tookOver = matchMedia('(width < 64rem)').matches
    if (tookOver) heading.current?.focus({ preventScroll: true })
    if (tookOver || panel.getBoundingClientRect().top < 0) panel.scrollIntoView({ block: 'start' })
    // oxlint-disable-next-line react/exhaustive-deps -- only on mount, not with every later navigation
  }, [])
}
