import { type ReactNode, useId } from 'react'
import { fold } from '#contract/parts/folding.ts'
import type { Project } from '#contract/projects.ts'
import { CreateProjectDialog } from '#web/projects/dialogs.ts'
import type { useMyProjects } from '#web/projects/queries.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState, NothingFound } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/loading.tsx'
import { CardSkeletons, cardGridClass } from '#web/ui/layout/cards.tsx'

type ProjectListProps = {
  query: ReturnType<typeof useMyProjects>
  /** Whether something above the list is still to come, which would move it. */
  isHeld: boolean
  term: string
  onClearTerm: () => void
  onCreate: () => void
  renderCard: (project: Project, heading: 'h2' | 'h3') => ReactNode
  /** Shown between the active and the finished projects. */
  children: ReactNode
}

/** The projects as cards, most recently written first, with the finished ones in a separate group. */
export function ProjectList({
  query,
  isHeld,
  term,
  onClearTerm,
  onCreate,
  renderCard,
  children: between,
}: ProjectListProps) {
  if (query.isPending || isHeld) return <ProjectsSkeleton />
  const found = matching(query.data ?? [], term)
  if (!query.data || found.length === 0) {
    return (
      <>
        <NoProjects query={query} term={term} onClearTerm={onClearTerm} onCreate={onCreate} />
        {between}
      </>
    )
  }
  const { current, finished } = groupProjects(found)
  return (
    <div className="flex flex-col gap-10">
      {current.length > 0 && (
        <ul className={cardGridClass}>
          {current.map((project) => (
            <li key={project._id}>{renderCard(project, 'h2')}</li>
          ))}
        </ul>
      )}
      {between}
      {finished.length > 0 && (
        <CardGroup title="Finished">
          {finished.map((project) => (
            <li key={project._id}>{renderCard(project, 'h3')}</li>
          ))}
        </CardGroup>
      )}
    </div>
  )
}

type CardGroupProps = { title: string; beside?: ReactNode; children: ReactNode }

/** Cards below a heading. */
export function CardGroup({ title, beside, children }: CardGroupProps) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-4 flex items-baseline justify-between gap-4 border-b border-line pb-2">
        <h2 id={headingId} className="text-sm font-semibold text-muted">
          {title}
        </h2>
        {beside}
      </div>
      <ul className={cardGridClass}>{children}</ul>
    </section>
  )
}

/** Explains why there are no cards: the list could not be fetched, it is empty, or nothing matches. */
function NoProjects({
  query,
  term,
  onClearTerm,
  onCreate,
}: Omit<ProjectListProps, 'isHeld' | 'renderCard' | 'children'>) {
  if (!query.data) {
    return (
      <EmptyState
        drawing="broken"
        title="Your projects could not be fetched"
        action={<TryAgain onClick={() => void query.refetch()} />}
      >
        They are safe on the server; only the way there failed.
      </EmptyState>
    )
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        action={
          <div className="flex flex-wrap justify-center gap-2.5">
            <Button variant="primary" {...CreateProjectDialog.preloadProps} onClick={onCreate}>
              Create Project
            </Button>
            <LinkButton to="/import">Import…</LinkButton>
          </div>
        }
      >
        You don't have any projects yet. Create your first project to get started!
      </EmptyState>
    )
  }
  return <NothingFound what="projects" term={term} onClear={onClearTerm} />
}

function ProjectsSkeleton() {
  return (
    <div className={cardGridClass}>
      <CardSkeletons className="pb-3">
        <Skeleton className="-mx-5 -mt-5 mb-4 aspect-[3/1] rounded-b-none" />
        <Skeleton className="h-7 w-7/12" />
        <SkeletonText lines={2} className="mt-3 mb-6" />
        <div className="flex flex-col gap-4">
          <Skeleton className="h-4 w-9/12" />
          <Skeleton className="h-3 w-full rounded-full" />
        </div>
      </CardSkeletons>
    </div>
  )
}

type Searchable = { title: string; description: string }

/** Returns the items whose title or description contains the term, ignoring case and accents; a blank term matches all. */
export function matching<T extends Searchable>(list: readonly T[], term: string): readonly T[] {
  const wanted = fold(term.trim())
  if (wanted === '') return list
  return list.filter(
    ({ title, description }) => fold(title).includes(wanted) || fold(description).includes(wanted),
  )
}

type Groupable = Pick<Project, 'createdAt' | 'lastEntry' | 'milestoneCount' | 'completedMilestoneCount'>

/** Splits projects into active and finished ones, most recently written first; creation counts as writing. */
export function groupProjects<T extends Groupable>(list: readonly T[]): { current: T[]; finished: T[] } {
  const touchedAt = ({ createdAt, lastEntry }: T) => Date.parse(lastEntry?.publishedAt ?? createdAt)
  const sorted = [...list].sort((one, other) => touchedAt(other) - touchedAt(one))
  const isFinished = ({ milestoneCount, completedMilestoneCount }: T) =>
    milestoneCount > 0 && completedMilestoneCount === milestoneCount
  return {
    current: sorted.filter((project) => !isFinished(project)),
    finished: sorted.filter(isFinished),
  }
}
