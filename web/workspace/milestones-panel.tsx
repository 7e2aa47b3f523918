import { clsx } from 'clsx'
import { Plus, Share2, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import type { Project } from '#contract/projects.ts'
import { readStored, store } from '#web/api/browser-storage.ts'
import { MilestoneTimeline } from '#web/milestones/milestone-timeline.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { ShareDialog } from '#web/projects/dialogs.ts'
import { completionText, FinishedSummary } from '#web/projects/finished-summary.tsx'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'

type MilestonesPanelProps = {
  project: Project
  /** Whether it is not known yet if the note on a finished project is shown. */
  isNotePending: boolean
  milestones: ReturnType<typeof useMilestones>
  selectedId: string | undefined
  pathTo: (milestone: Milestone) => string
  /** The path to the entries of all milestones. */
  pathToAll: string
  canEdit: boolean
  /** The handlers of a button that adds a milestone. */
  addProps: Pick<ComponentProps<typeof Button>, 'onClick' | 'onFocus' | 'onPointerEnter'>
  /** Starts an entry of a milestone. */
  onWrite: (milestone: Milestone) => void
  onShare: () => void
}

/** The project's progress and its timeline. */
export function MilestonesPanel(props: MilestonesPanelProps) {
  const { project, isNotePending, milestones, selectedId, pathTo, pathToAll } = props
  const { canEdit, addProps, onWrite, onShare } = props
  const { completedMilestoneCount, milestoneCount, progress } = project
  const isFinished = progress === 100
  // The note and the timeline appear together, because a later note would push the timeline down.
  const isPending = milestones.isPending || (isFinished && isNotePending)
  const isEmpty = !isPending && milestones.milestones.length === 0
  // The timeline disappears with its last milestone.
  return (
    <section
      tabIndex={-1}
      aria-labelledby="milestones"
      className="-mx-2 px-2 pb-2 outline-none lg:sticky lg:top-nav lg:max-h-[calc(100dvh-3.5rem)] lg:overflow-y-auto lg:overscroll-contain lg:pb-6"
    >
      <header
        className={
          isEmpty
            ? 'sr-only'
            : '-mx-2 mb-2 bg-surface px-2 pb-3 print:bg-transparent lg:sticky lg:top-0 lg:z-20 lg:pt-6'
        }
      >
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
                'relative rounded-sm text-sm font-medium text-muted hover:text-ink after:absolute after:-inset-1.5 pointer-coarse:after:-inset-3',
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
      ) : isEmpty ? (
        <NoMilestones milestones={milestones} canEdit={canEdit} addProps={addProps} />
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
  addProps,
}: Pick<MilestonesPanelProps, 'milestones' | 'canEdit' | 'addProps'>) {
  const drawing = isError ? 'broken' : 'trail'
  const retry = isError && <TryAgain onClick={() => void refetch()} />
  const add = canEdit && (
    <Button icon={<Plus />} {...addProps}>
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

type FinishedNoteProps = { project: Project; onShare: () => void }

/** The summary of a project whose milestones are all completed, until it is dismissed in this browser. */
export function FinishedNote({ project, onShare }: FinishedNoteProps) {
  const [isDismissed, setDismissed] = useState(() => wasDismissed(project._id))
  const { finished, milestoneCount } = project
  if (isDismissed || !finished) return null

  function dismiss() {
    rememberDismissal(project._id)
    setDismissed(true)
  }

  return (
    <section
      aria-label="Project finished"
      data-print="hidden"
      className="relative mb-4 animate-rise rounded-lg border border-success/35 bg-success-soft/60 px-4 py-3.5"
    >
      <FinishedSummary
        heading="h3"
        title="You reached the last milestone"
        finished={finished}
        milestoneCount={milestoneCount}
        titleClassName="pr-9"
      />
      <Button size="sm" icon={<Share2 />} className="mt-3" {...ShareDialog.preloadProps} onClick={onShare}>
        Share the story
      </Button>
      <IconButton
        label="Dismiss"
        icon={<X />}
        size="sm"
        className="absolute! top-2 right-2"
        onClick={dismiss}
      />
    </section>
  )
}

const storageKey = (projectId: string) => `finishedNoteDismissed/${projectId}`

const wasDismissed = (projectId: string) => readStored(storageKey(projectId)) !== null

const rememberDismissal = (projectId: string) => void store(storageKey(projectId), '1')

/** The skeleton of the trail. */
export const TrailSkeleton = () => <Skeleton className="h-20" />
