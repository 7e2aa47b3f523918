import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { Link, NavigationType, type To, useNavigationType } from 'react-router'
import { ENTRY_PAGE_SIZES } from '#contract/list-options.ts'
import type { Milestone } from '#contract/milestones.ts'
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
  /** Whether entries were requested, but it is not known yet whether they can be shown. */
  isAwaited: boolean
  /** Whether all entries were chosen; on a phone no other link leads to them. */
  showsAll: boolean
  canEdit: boolean
  /** On a phone, the link back to the timeline. */
  wayBack: To
}

/** The entries of the selected milestone or, beside the timeline, of the whole project. */
export function EntriesPanel(props: EntriesPanelProps) {
  const { projectId, milestones, selected, isNew, isAwaited, showsAll, canEdit, wayBack } = props
  const isWide = useIsWide()
  if (selected)
    return (
      <section aria-labelledby="selected-milestone" className="min-w-0 lg:py-6">
        <EntryList
          key={selected._id}
          projectId={projectId}
          milestone={selected}
          canEdit={canEdit}
          isNew={isNew}
          renderHead={(addButton) => (
            <PanelHead
              title={selected.title}
              description={selected.description}
              action={addButton}
              wayBack={wayBack}
            />
          )}
        />
      </section>
    )
  if (milestones.isPending) return <EntriesSkeleton isAlone={isAwaited} />
  if (milestones.milestones.length === 0) return null
  if (!isWide && !showsAll) return <SelectionHint />
  return (
    <section aria-labelledby="selected-milestone" className="min-w-0 lg:py-6">
      <ProjectEntries
        projectId={projectId}
        milestones={milestones.milestones}
        canEdit={canEdit}
        empty={<SelectionHint isAlone />}
        head={
          <>
            <SelectionHint className="max-lg:hidden" />
            <PanelHead title="All entries" wayBack={wayBack} />
          </>
        }
      />
    </section>
  )
}

/** `isAlone` fills the space of the entries. */
function SelectionHint({ isAlone, className }: { isAlone?: true; className?: string }) {
  return (
    <p
      data-print="hidden"
      className={clsx(
        'text-base text-ink',
        isAlone
          ? 'text-center lg:grid lg:min-h-72 lg:place-items-center lg:rounded-lg lg:border lg:border-dashed lg:border-line lg:p-6'
          : 'max-lg:text-center lg:mb-6',
        className,
      )}
    >
      Select a milestone from the timeline to view its entries
    </p>
  )
}

/** The skeleton of the panel; on a phone only if nothing else is shown. */
export function EntriesSkeleton({ isAlone }: { isAlone: boolean }) {
  return (
    <div className={clsx('min-w-0 lg:py-6', !isAlone && 'max-lg:hidden')}>
      <Skeleton className="mt-3 mb-6 h-5 w-32 lg:hidden" />
      <Skeleton className="mb-6 h-8 w-64 max-w-full" />
      <EntryListSkeleton count={ENTRY_PAGE_SIZES[0]} />
    </div>
  )
}

type PanelHeadProps = { title: string; description?: string; action?: ReactNode; wayBack: To }

/** The title of the milestone or project and, on a phone, the link back. */
function PanelHead({ title, description, action, wayBack }: PanelHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useScrollToEntries(heading)

  return (
    <header className="mb-4 items-start gap-x-4 max-lg:flex max-lg:flex-wrap max-lg:justify-between max-lg:gap-y-3 lg:grid lg:grid-cols-[minmax(0,1fr)_auto]">
      <Link
        to={wayBack}
        data-print="hidden"
        className="inline-flex min-h-11 items-center gap-1.5 justify-self-start rounded-sm text-sm font-semibold text-accent lg:hidden"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        All milestones
      </Link>
      <div className="min-w-0 max-w-reading max-lg:order-1 max-lg:basis-full">
        <h2
          ref={heading}
          id="selected-milestone"
          tabIndex={-1}
          className="font-reading text-2xl font-medium outline-none"
        >
          {title}
        </h2>
        {description !== undefined && (
          <div className="mt-1 text-muted">
            <ClampedText text={description} />
          </div>
        )}
      </div>
      <div data-print="hidden">{action}</div>
    </header>
  )
}

/** Scrolls to the beginning of the entries after a selection; Back and Forward restore their own positions. */
function useScrollToEntries(heading: RefObject<HTMLElement | null>) {
  const wasChosen = useNavigationType() === NavigationType.Push

  useEffect(() => {
    const panel = heading.current?.closest('section')
    if (!wasChosen || !panel) return
    if (wide().matches) {
      if (panel.getBoundingClientRect().top < 0) panel.scrollIntoView({ block: 'start' })
    } else {
      // The entries replace the timeline, and with it the focused link.
      heading.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
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

const useIsWide = () =>
  useSyncExternalStore(
    subscribeToWidth,
    () => wide().matches,
    () => false,
  )
