import { Plus } from 'lucide-react'
import type { Milestone } from '#contract/milestones.ts'
import type { Project } from '#contract/projects.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { MilestoneTimeline } from '#web/milestones/milestone-timeline.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'

type MilestonesPanelProps = {
  project: Project
  milestones: ReturnType<typeof useMilestones>
  selectedId: string | undefined
  pathTo: (milestone: Milestone) => string
  canEdit: boolean
  onAdd: () => void
}

/** The project's progress and its timeline. */
export function MilestonesPanel(props: MilestonesPanelProps) {
  const { project, milestones, selectedId, pathTo, canEdit, onAdd } = props
  const { completedMilestoneCount, milestoneCount, progress } = project
  return (
    <section
      aria-labelledby="milestones"
      className="-mx-2 px-2 pb-2 lg:sticky lg:top-nav lg:max-h-[calc(100dvh-3.5rem)] lg:overflow-y-auto lg:overscroll-contain lg:pb-6"
    >
      <header className="-mx-2 mb-2 bg-surface px-2 pb-3 print:bg-transparent lg:sticky lg:top-0 lg:z-20 lg:pt-6">
        <h2 id="milestones" className="text-lg font-semibold">
          Milestones
        </h2>
        <ProgressBar
          value={progress}
          valueText={`${completedMilestoneCount} of ${milestoneCount} milestones completed`}
          className="mt-2"
        />
      </header>
      {milestones.isPending ? (
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
  const retry = isError && <Button onClick={() => void refetch()}>Try again</Button>
  const add = canEdit && (
    <Button icon={<Plus />} {...AddMilestoneDialog.near} onClick={onAdd}>
      Create Milestone
    </Button>
  )
  return (
    <EmptyState title="No milestones yet" action={retry || add}>
      {canEdit
        ? 'Create your first milestone to start tracking progress'
        : 'They appear here once somebody who may edit this project has added one.'}
    </EmptyState>
  )
}

function MilestonesSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index} className="ml-10 h-20 rounded-lg" />
      ))}
    </div>
  )
}
