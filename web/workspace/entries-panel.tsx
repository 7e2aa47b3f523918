import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { ENTRY_PAGE_SIZES } from '#contract/parts/list-options.ts'
import { EntryList, ProjectEntries } from '#web/entries/list/entry-list.tsx'
import { EntryListSkeleton } from '#web/entries/list/entry-pages.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { ClampedText } from './clamped-text.tsx'

type EntriesPanelProps = {
  projectId: string
  milestones: ReturnType<typeof useMilestones>
  selected: Milestone | undefined
  /** Whether the selected milestone was just created, so that the button of its first entry gets the focus. */
  isNew: boolean
  /** Whether they are below the trail of a phone. */
  isBelow: boolean
  canEdit: boolean
  rightsPending: boolean
}

/** The entries of the selected milestone or of the whole project, beside the timeline or below the trail. */
export function EntriesPanel(props: EntriesPanelProps) {
  const { projectId, milestones, selected, isNew, isBelow, canEdit, rightsPending } = props
  if (selected)
    return (
      <section aria-labelledby="selected-milestone" className="min-w-0 max-lg:scroll-mt-38 lg:py-6">
        <EntryList
          key={selected._id}
          projectId={projectId}
          milestone={selected}
          canEdit={canEdit}
          rightsPending={rightsPending}
          isNew={isNew}
          renderHead={(addButton) => (
            <PanelHead
              title={selected.title}
              description={selected.description}
              action={addButton}
              note={isBelow && 'Currently viewing this milestone'}
            />
          )}
        />
      </section>
    )
  if (milestones.isPending) return <EntriesSkeleton />
  if (milestones.milestones.length === 0) return null
  return (
    <section aria-labelledby="selected-milestone" className="min-w-0 max-lg:scroll-mt-38 lg:py-6">
      <ProjectEntries
        projectId={projectId}
        milestones={milestones.milestones}
        canEdit={canEdit}
        empty={<SelectionHint isAlone />}
        head={
          <>
            <SelectionHint />
            <PanelHead title="All entries" />
          </>
        }
      />
    </section>
  )
}

/** `isAlone` fills the space of the entries. */
function SelectionHint({ isAlone }: { isAlone?: true }) {
  return (
    <p
      data-print="hidden"
      className={clsx(
        isAlone
          ? 'text-center text-base text-ink lg:grid lg:min-h-72 lg:place-items-center lg:rounded-lg lg:border lg:border-dashed lg:border-line lg:p-6'
          : 'mb-6 text-base text-ink max-lg:mb-3 max-lg:text-sm max-lg:text-muted',
      )}
    >
      Select a milestone from the timeline to view its entries
    </p>
  )
}

/** The skeleton of the panel. */
export function EntriesSkeleton() {
  return (
    <div className="min-w-0 max-lg:scroll-mt-38 lg:py-6">
      <Skeleton className="mb-6 h-8 w-64 max-w-full" />
      <EntryListSkeleton count={ENTRY_PAGE_SIZES[0]} />
    </div>
  )
}

type PanelHeadProps = {
  title: string
  description?: string
  action?: ReactNode
  /** A line above the title. */
  note?: ReactNode
}

/** The title of the milestone or project, and the button that adds an entry. */
function PanelHead({ title, description, action, note }: PanelHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useScrollToEntries(heading)

  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3 lg:grid lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 max-w-reading flex-1 basis-32">
        {note && <p className="mb-1 text-sm font-medium text-accent">{note}</p>}
        <h2
          ref={heading}
          id="selected-milestone"
          tabIndex={-1}
          className="font-reading text-2xl font-medium outline-none"
        >
          {title}
        </h2>
      </div>
      <div data-print="hidden">{action}</div>
      {description !== undefined && (
        <div className="-mt-2 max-w-reading min-w-0 basis-full text-muted lg:col-start-1">
          <ClampedText text={description} />
        </div>
      )}
    </header>
  )
}

/** The height of the bar and of the trail below it, which stay in view on a phone. */
const TRAIL_PX = 150

/** Scrolls to the beginning of the entries after a selection; Back and Forward restore their own positions. */
function useScrollToEntries(heading: RefObject<HTMLElement | null>) {
  const wasChosen = useNavigationType() === NavigationType.Push

  useEffect(() => {
    const panel = heading.current?.closest('section')
    if (!wasChosen || !panel) return
    const covered = wide().matches ? 0 : TRAIL_PX
    if (panel.getBoundingClientRect().top < covered) panel.scrollIntoView({ block: 'start' })
    // oxlint-disable-next-line react/exhaustive-deps -- only on mount, not with every later navigation
  }, [])
}

/** Whether the entries fit beside the timeline; in print they follow it. */
const wide = () => matchMedia('(width >= 64rem), print')

function subscribeToWidth(onChange: () => void) {
  const query = wide()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the entries are beside the timeline. */
export const useIsWide = () =>
  useSyncExternalStore(
    subscribeToWidth,
    () => wide().matches,
    () => false,
  )
