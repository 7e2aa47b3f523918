import { ArrowLeft, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { compose } from '#web/commands/compose.ts'
import { useCommand } from '#web/commands/use-command.ts'
import { Composer } from '#web/composer/dialogs.ts'
import { ALL_ENTRIES, TIMELINE } from '#web/entries/paths.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { MilestoneTrail } from '#web/milestones/milestone-trail.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { ShareDialog } from '#web/projects/dialogs.ts'
import { completionText } from '#web/projects/finished-summary.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { EntriesPanel, useIsWide } from './entries-panel.tsx'
import { FinishedNote, MilestonesPanel, TrailSkeleton } from './milestones-panel.tsx'
import { ProjectHeader } from './project-header.tsx'
import { ProjectLine } from './project-line.tsx'
import { useProjectParams } from './use-project-params.ts'

type ProjectViewProps = {
  project: Project
  /** Whether the project comes from the list of projects, which lacks the summary of a finished project. */
  isSummary: boolean
  permissions: Permissions
  rightsPending: boolean
  milestones: ReturnType<typeof useMilestones>
  spinning: boolean
}

/** A project with its milestones and entries, and the composer of one. */
export function ProjectView(props: ProjectViewProps) {
  const { project, permissions, rightsPending, milestones, spinning } = props
  const { _id: projectId } = project
  const { canEdit, canManageCollaborators: canPublish } = permissions
  const params = useProjectParams()
  const [sharing, setSharing] = useState(false)
  const share = () => setSharing(true)
  const adding = useAdding(projectId, canEdit, params.select)
  const selected = milestones.milestones.find(({ _id }) => _id === params.selectedId)
  const isWide = useIsWide()
  useRefetchIfMissing(milestones, params.selectedId)
  useCommand('shareProject', share)

  const editedId = params.editing?.entryId
  const [openedId, setOpenedId] = useState<string>()
  // Only opening the composer requires the right to edit: a user who loses it while typing keeps the text.
  if (openedId !== editedId && (canEdit || editedId === undefined)) setOpenedId(editedId)

  return (
    <>
      <ProjectHeader
        project={project}
        permissions={permissions}
        rightsPending={rightsPending}
        spinning={spinning}
        onShare={share}
        action={
          canEdit && (
            <Button
              // Once a milestone is selected, its own button is the primary one.
              variant={selected ? 'secondary' : 'primary'}
              icon={<Plus />}
              className="ml-auto max-[23rem]:px-3 lg:ml-1.5"
              {...adding.buttonProps}
            >
              Add Milestone
            </Button>
          )
        }
      />
      {/* On a phone the entries come at once, and the line is with the timeline. */}
      {(isWide || params.selectedId === TIMELINE) && (
        <ProjectLine projectId={projectId} milestones={milestones.milestones} selectedId={selected?._id} />
      )}
      <Columns {...props} params={params} selected={selected} adding={adding} onShare={share} />
      {params.editing && openedId === editedId && (
        <Composer projectId={projectId} {...params.editing} onClose={params.closeComposer} />
      )}
      {adding.dialogs}
      {sharing && <ShareDialog project={project} canPublish={canPublish} onClose={() => setSharing(false)} />}
    </>
  )
}

/** Adding milestones: the handlers of its buttons, its dialogs, and the milestone that was created last. */
function useAdding(projectId: string, canEdit: boolean, select: (milestone: Milestone) => Promise<void>) {
  const { pathname, search } = useLocation()
  const { dialogs, open, close } = useDialogs<null>()
  const [createdId, setCreatedId] = useState<string>()
  const add = () => open(null)

  /** Selects a new milestone, unless the user has navigated since submitting it; the focus goes to the button of its first entry. */
  async function selectCreated(milestone: Milestone) {
    const isStillHere = window.location.pathname + window.location.search === pathname + search
    if (!isStillHere || isDialogOpen()) return
    setCreatedId(milestone._id)
    await select(milestone)
  }

  useCommand('addMilestone', canEdit ? add : null)
  useReopenedForm((wasInterrupted) => {
    const isFound = canEdit && wasInterrupted(formNames.newMilestone(projectId))
    if (isFound) add()
    return isFound
  })

  return {
    buttonProps: { ...AddMilestoneDialog.preloadProps, onClick: add },
    createdId,
    dialogs: dialogs.map(({ key }) => (
      <AddMilestoneDialog
        key={key}
        projectId={projectId}
        onCreated={(milestone) => void selectCreated(milestone)}
        onClose={() => close(key)}
      />
    )),
  }
}

type ColumnsProps = ProjectViewProps & {
  params: ReturnType<typeof useProjectParams>
  selected: Milestone | undefined
  adding: ReturnType<typeof useAdding>
  onShare: () => void
}

/** The timeline of a project beside the entries of the selected milestone; on a phone a trail above them. */
function Columns(props: ColumnsProps) {
  const { project, isSummary, permissions, rightsPending, milestones, params, selected, adding, onShare } =
    props
  const { _id: projectId } = project
  const { canEdit } = permissions
  const isEmpty = !milestones.isPending && milestones.milestones.length === 0
  const isWide = useIsWide()
  const isNotePending = rightsPending || isSummary
  // On a phone the note on a finished project is above the entries, which it would push.
  const isHeld = !isWide && project.progress === 100 && isNotePending
  const hasTimeline = isWide || isEmpty || params.selectedId === TIMELINE
  // A new element once the milestones are known: until then it is a skeleton, and the line above it may not be there.
  return (
    <div key={String(milestones.isPending)} className={isEmpty ? 'mx-auto max-w-md' : columnsClass}>
      {hasTimeline ? (
        <div className="min-w-0">
          {!isWide && !isEmpty && (
            <Link
              to={params.wayBack}
              preventScrollReset
              className="mb-2 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm font-semibold text-accent"
            >
              <ArrowLeft className="size-4" aria-hidden="true" />
              Back to the entries
            </Link>
          )}
          <MilestonesPanel
            project={project}
            isNotePending={isNotePending}
            milestones={milestones}
            selectedId={selected?._id}
            pathTo={params.pathTo}
            pathToAll={params.pathToAll}
            canEdit={canEdit}
            addProps={adding.buttonProps}
            onWrite={({ _id: milestoneId }) => compose({ projectId, milestoneId })}
            onShare={onShare}
          />
        </div>
      ) : (
        <PhoneTrail {...props} />
      )}
      {(isWide || !hasTimeline) && !isHeld && (
        <EntriesPanel
          projectId={projectId}
          milestones={milestones}
          selected={selected}
          isNew={selected !== undefined && selected._id === adding.createdId}
          isBelow={!isWide}
          canEdit={canEdit}
          rightsPending={rightsPending}
        />
      )}
    </div>
  )
}

/** The trail of a phone, with the note on a finished project above it. They appear together, so that neither moves the other. */
function PhoneTrail(props: ColumnsProps) {
  const { project, isSummary, permissions, rightsPending, milestones, selected, params, onShare } = props
  const { progress, completedMilestoneCount, milestoneCount } = project
  const isFinished = progress === 100
  if (milestones.isPending || (isFinished && (rightsPending || isSummary))) return <TrailSkeleton />
  return (
    <>
      {isFinished && permissions.canEdit && <FinishedNote project={project} onShare={onShare} />}
      <MilestoneTrail
        milestones={milestones.milestones}
        selectedId={selected?._id}
        progress={{ value: progress, text: completionText(completedMilestoneCount, milestoneCount) }}
        pathTo={params.pathTo}
        pathToAll={params.pathToAll}
        pathToTimeline={params.pathToTimeline}
      />
    </>
  )
}

/** Refetches the milestones if the one to be shown is missing, because it may have been created elsewhere since. */
function useRefetchIfMissing(
  { milestones, isPending, isError, refetch }: ReturnType<typeof useMilestones>,
  selectedId: string | undefined,
) {
  const isNotAsked = isPending || isError || selectedId === ALL_ENTRIES || selectedId === TIMELINE
  const missingId = isNotAsked || milestones.some(({ _id }) => _id === selectedId) ? undefined : selectedId

  useEffect(() => {
    if (missingId !== undefined) void refetch({ cancelRefetch: false })
  }, [missingId, refetch])
}

/** The timeline beside the entries, if the window is wide enough. */
export const columnsClass = 'grid grid-cols-1 gap-x-10 gap-y-4 lg:grid-cols-[21rem_minmax(0,1fr)]'
