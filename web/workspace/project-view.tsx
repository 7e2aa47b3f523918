import { ArrowLeft, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { compose } from '#web/commands/compose.ts'
import { useCommand } from '#web/commands/use-command.ts'
import { Composer } from '#web/composer/dialogs.ts'
import { forAnotherMilestone } from '#web/entries/list/entry-filters.ts'
import { ALL_ENTRIES, entryPath, isFromEntryPage, rememberEdited, TIMELINE } from '#web/entries/paths.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { MilestoneTrail } from '#web/milestones/milestone-trail.tsx'
import type { useMilestones } from '#web/milestones/queries.ts'
import { ShareDialog } from '#web/projects/dialogs.ts'
import { completionText } from '#web/projects/finished-summary.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { EntriesPanel, useIsWide } from './entries-panel.tsx'
import { FinishedNote, MilestonesPanel, TrailSkeleton } from './milestones-panel.tsx'
import { ProjectHeader } from './project-header.tsx'
import { ProjectLine } from './project-line.tsx'

type ProjectViewProps = {
  project: Project
  /** Whether the project comes from the list of projects, which lacks the summary of a finished project. */
  isSummary: boolean
  permissions: Permissions
  rightsPending: boolean
  milestones: ReturnType<typeof useMilestones>
  spinning: boolean
}

/** The timeline of a project beside the entries of the selected milestone; on a phone a trail above them. */
export function ProjectView(props: ProjectViewProps) {
  const { project, isSummary, permissions, rightsPending, milestones, spinning } = props
  const { _id: projectId } = project
  const { canEdit, canManageCollaborators: canPublish } = permissions
  const params = useProjectParams()
  const { pathname, search } = useLocation()
  const [sharing, setSharing] = useState(false)
  const additions = useDialogs<null>()
  const [createdId, setCreatedId] = useState<string>()
  const editedId = params.editing?.entryId
  const [openedId, setOpenedId] = useState<string>()
  // Only opening the composer requires the right to edit: a user who loses it while typing keeps the text.
  if (openedId !== editedId && (canEdit || editedId === undefined)) setOpenedId(editedId)
  const selected = milestones.milestones.find(({ _id }) => _id === params.selectedId)
  useRefetchIfMissing(milestones, params.selectedId)
  const isEmpty = !milestones.isPending && milestones.milestones.length === 0
  const isWide = useIsWide()
  // On a phone the note on a finished project is above the entries, which it would push.
  const isHeld = !isWide && project.progress === 100 && (rightsPending || isSummary)
  const hasTimeline = isWide || isEmpty || params.selectedId === TIMELINE

  /** Selects a new milestone, unless the user has navigated since submitting it; the focus goes to the button of its first entry. */
  async function selectCreated(milestone: Milestone) {
    const isStillHere = window.location.pathname + window.location.search === pathname + search
    if (!isStillHere || isDialogOpen()) return
    setCreatedId(milestone._id)
    await params.select(milestone)
  }

  const addMilestone = {
    ...AddMilestoneDialog.preloadProps,
    onClick: () => additions.open(null),
  }

  useCommand('addMilestone', canEdit ? addMilestone.onClick : null)
  useCommand('shareProject', () => setSharing(true))
  useReopenedForm((wasInterrupted) => {
    const isFound = canEdit && wasInterrupted(formNames.newMilestone(projectId))
    if (isFound) additions.open(null)
    return isFound
  })

  return (
    <>
      <ProjectHeader
        project={project}
        permissions={permissions}
        rightsPending={rightsPending}
        spinning={spinning}
        onShare={() => setSharing(true)}
        action={
          canEdit && (
            <Button
              // Once a milestone is selected, its own button is the primary one.
              variant={selected ? 'secondary' : 'primary'}
              icon={<Plus />}
              className="ml-auto max-[23rem]:px-3 lg:ml-1.5"
              {...addMilestone}
            >
              Add Milestone
            </Button>
          )
        }
      />
      <ProjectLine projectId={projectId} milestones={milestones.milestones} selectedId={selected?._id} />
      {/* A new element once the milestones are known: until then it is a skeleton, and the line above it may not be there. */}
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
              isNotePending={rightsPending || isSummary}
              milestones={milestones}
              selectedId={selected?._id}
              pathTo={params.pathTo}
              pathToAll={params.pathToAll}
              canEdit={canEdit}
              addProps={addMilestone}
              onWrite={({ _id: milestoneId }) => compose({ projectId, milestoneId })}
              onShare={() => setSharing(true)}
            />
          </div>
        ) : (
          <PhoneTrail
            project={project}
            isNotePending={rightsPending || isSummary}
            milestones={milestones}
            selectedId={selected?._id}
            params={params}
            canEdit={canEdit}
            onShare={() => setSharing(true)}
          />
        )}
        {(isWide || !hasTimeline) && !isHeld && (
          <EntriesPanel
            projectId={projectId}
            milestones={milestones}
            selected={selected}
            isNew={selected !== undefined && selected._id === createdId}
            isBelow={!isWide}
            canEdit={canEdit}
          />
        )}
      </div>
      {params.editing && openedId === editedId && (
        <Composer projectId={projectId} {...params.editing} onClose={params.closeComposer} />
      )}
      {additions.dialogs.map(({ key }) => (
        <AddMilestoneDialog
          key={key}
          projectId={projectId}
          onCreated={(milestone) => void selectCreated(milestone)}
          onClose={() => additions.close(key)}
        />
      ))}
      {sharing && <ShareDialog project={project} canPublish={canPublish} onClose={() => setSharing(false)} />}
    </>
  )
}

type PhoneTrailProps = Pick<ProjectViewProps, 'project' | 'milestones'> & {
  isNotePending: boolean
  selectedId: string | undefined
  params: ReturnType<typeof useProjectParams>
  canEdit: boolean
  onShare: () => void
}

/** The trail of a phone, with the note on a finished project above it. They appear together, so that neither moves the other. */
function PhoneTrail(props: PhoneTrailProps) {
  const { project, isNotePending, milestones, selectedId, params, canEdit, onShare } = props
  const { progress, completedMilestoneCount, milestoneCount } = project
  const isFinished = progress === 100
  if (milestones.isPending || (isFinished && isNotePending)) return <TrailSkeleton />
  return (
    <>
      {isFinished && canEdit && <FinishedNote project={project} onShare={onShare} />}
      <MilestoneTrail
        milestones={milestones.milestones}
        selectedId={selectedId}
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

const SELECTED = 'selected'

type MovedTo = { projectId: string; milestoneId: string }

/**
 * The search params of a project's page: `selected` is the milestone whose entries are shown, `all`, or `timeline`; `edit` and `milestone`
 * together open the composer on an entry.
 */
function useProjectParams() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const entryId = params.get('edit')
  const milestoneId = params.get('milestone')

  function withoutComposer() {
    const next = new URLSearchParams(params)
    next.delete('edit')
    next.delete('milestone')
    return next
  }

  function pathToEntriesOf(selection: string): string {
    const next = forAnotherMilestone(withoutComposer())
    next.set(SELECTED, selection)
    return `?${next}`
  }

  const pathTo = ({ _id }: Milestone) => pathToEntriesOf(_id)

  /** Shows the entries of a newly created milestone. */
  async function select(milestone: Milestone) {
    await navigate(pathTo(milestone), { preventScrollReset: true })
  }

  /** `moved` is the entry's new location, if it was moved, because the path of its page has changed. */
  function closeComposer(moved?: MovedTo) {
    if (moved && entryId) historyLayers().leave(() => void openMoved(moved, entryId))
    else if (isFromEntryPage(state)) historyLayers().leave(backToEntry)
    else closeInPlace()
  }

  function backToEntry() {
    if (entryId) rememberEdited(entryId)
    void navigate(-1)
  }

  async function openMoved({ projectId, milestoneId: milestone }: MovedTo, _id: string) {
    await navigate(entryPath(projectId, { _id, milestone }), { replace: true })
  }

  function closeInPlace() {
    const next = withoutComposer()
    if (milestoneId && next.get(SELECTED) !== ALL_ENTRIES) next.set(SELECTED, milestoneId)
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return {
    selectedId: params.get(SELECTED) ?? milestoneId ?? undefined,
    pathTo,
    pathToAll: pathToEntriesOf(ALL_ENTRIES),
    pathToTimeline: pathToEntriesOf(TIMELINE),
    select,
    wayBack: { search: '' },
    editing: entryId && milestoneId ? { entryId, milestoneId } : null,
    closeComposer,
  }
}
