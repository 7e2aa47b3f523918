import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import type { Project } from '#contract/projects.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { MilestoneTimeline } from '#web/milestones/milestone-timeline.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { completionText } from '#web/projects/finished-summary.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { useKeepFocus } from '#web/ui/layout/accessibility.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { FinishedNote } from './finished-note.tsx'

type MilestonesPanelProps = {
  project: Project
  /** It is not known yet whether the note on a finished project is shown. */
  isNotePending: boolean
  milestones: ReturnType<typeof useMilestones>
  selectedId: string | undefined
  pathTo: (milestone: Milestone) => string
  /** Where the entries of all milestones are. */
  pathToAll: string
  canEdit: boolean
  onAdd: () => void
  /** Begins an entry of a milestone. */
  onWrite: (milestone: Milestone) => void
  onShare: () => void
}

/** The project's progress and its timeline. */
export function MilestonesPanel(props: MilestonesPanelProps) {
  const { project, isNotePending, milestones, selectedId, pathTo, pathToAll } = props
  const { canEdit, onAdd, onWrite, onShare } = props
  const { completedMilestoneCount, milestoneCount, progress } = project
  const isFinished = progress === 100
  // The note and the timeline appear together: a note that came later would push the timeline down.
  const isPending = milestones.isPending || (isFinished && isNotePending)
  const panel = useRef<HTMLElement>(null)
  // The last milestone takes its timeline with it.
  useKeepFocus(panel, milestones.milestones.length)
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="milestones"
      className="-mx-2 px-2 pb-2 outline-none lg:sticky lg:top-nav lg:max-h-[calc(100dvh-3.5rem)] lg:overflow-y-auto lg:overscroll-contain lg:pb-6"
    >
      <header className="-mx-2 mb-2 bg-surface px-2 pb-3 print:bg-transparent lg:sticky lg:top-0 lg:z-20 lg:pt-6">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id="milestones" className="text-lg font-semibold">
            Milestones
          </h2>
          {milestones.milestones.some(({ entryCount }) => entryCount > 0) && (
            <Link
              to={pathToAll}
              preventScrollReset
              data-print="hidden"
              className={clsx(
                'relative rounded-sm text-sm font-medium text-muted hover:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-3',
                selectedId === undefined && 'lg:invisible',
              )}
            >
              All entries
            </Link>
          )}
        </div>
        <ProgressBar
          value={progress}
          valueText={completionText(completedMilestoneCount, milestoneCount)}
          className="mt-2"
        />
      </header>
      {isFinished && canEdit && !isPending && <FinishedNote project={project} onShare={onShare} />}
      {isPending ? (
        <MilestonesSkeleton />
      ) : milestones.milestones.length === 0 ? (
        <NoMilestones milestones={milestones} canEdit={canEdit} onAdd={onAdd} />
      ) : (
        <MilestoneTimeline
          projectId={project._id}
          milestones={milestones.milestones}
          selectedId={selectedId}
          pathTo={pathTo}
          canEdit={canEdit}
          onWrite={onWrite}
        />
      )}
    </section>
  )
}

function NoMilestones({
  milestones: { isError, refetch },
  canEdit,
  onAdd,
}: Pick<MilestonesPanelProps, 'milestones' | 'canEdit' | 'onAdd'>) {
  const drawing = isError ? 'broken' : 'trail'
  const retry = isError && <Button onClick={() => void refetch()}>Try again</Button>
  const add = canEdit && (
    <Button icon={<Plus />} {...AddMilestoneDialog.near} onClick={onAdd}>
      Create Milestone
    </Button>
  )
  return (
    <EmptyState drawing={drawing} title="No milestones yet" action={retry || add}>
      {canEdit
        ? 'Create your first milestone to start tracking progress'
        : 'They appear here once somebody who may edit this project has added one.'}
    </EmptyState>
  )
}

export function MilestonesSkeleton() {
  return (
    <div className="animate-appear" aria-hidden="true">
      <Timeline>
        {Array.from({ length: 4 }, (_, index) => (
          <TimelineItem key={index} done={false}>
            <div className="flex h-25.5 flex-col gap-2 rounded-lg border border-line bg-raised px-4 py-3.5 shadow-sm">
              <Skeleton className="h-5 w-7/12" />
              <Skeleton className="h-5 w-6/12" />
              <Skeleton className="h-4 w-4/12" />
            </div>
          </TimelineItem>
        ))}
      </Timeline>
    </div>
  )
}
