import { clsx } from 'clsx'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { ManageDialog } from '#web/collaborators/dialogs.ts'
import { EntryEditor } from '#web/entries/dialogs.ts'
import { forAnotherMilestone } from '#web/entries/list/entry-filters.ts'
import { entryPath, isFromEntryPage } from '#web/entries/paths.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import type { useMilestones } from '#web/milestones/queries.ts'
import { EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { historyLayers } from '#web/ui/dialogs/use-history-layer.ts'
import { EntriesPanel } from './entries-panel.tsx'
import { MilestonesPanel } from './milestones-panel.tsx'
import { ProjectHeader } from './project-header.tsx'

type ProjectViewProps = {
  project: Project
  permissions: Permissions
  milestones: ReturnType<typeof useMilestones>
  spinning: boolean
}

/** The timeline of a project beside the entries of the selected milestone; on a phone one of the two. */
export function ProjectView({ project, permissions, milestones, spinning }: ProjectViewProps) {
  const { _id: projectId } = project
  const { canEdit, canManageCollaborators } = permissions
  const canChangeProject = canManageCollaborators
  const params = useProjectParams()
  const [sharing, setSharing] = useState(false)
  const [managing, setManaging] = useState(false)
  if (managing && !canManageCollaborators) setManaging(false)
  const edits = useDialogs<Project>()
  const additions = useDialogs<null>()
  const editedId = params.editing?.entryId
  const [openedId, setOpenedId] = useState<string>()
  // Only opening the editor needs the right to edit: somebody who loses it while typing keeps the text.
  if (openedId !== editedId && (canEdit || editedId === undefined)) setOpenedId(editedId)
  const selected = milestones.milestones.find(({ _id }) => _id === params.selectedId)

  useReopenedForm((wasInterrupted) => {
    if (canChangeProject && wasInterrupted(formNames.project(project))) edits.open(project)
    else if (canEdit && wasInterrupted(formNames.newMilestone(projectId))) additions.open(null)
    else if (canManageCollaborators && wasInterrupted(formNames.invitation(projectId))) setManaging(true)
    else return false
    return true
  })

  return (
    <>
      <ProjectHeader
        project={project}
        permissions={permissions}
        spinning={spinning}
        compact={selected !== undefined}
        canChangeProject={canChangeProject}
        onShare={() => setSharing(true)}
        onManageCollaborators={() => setManaging(true)}
        onEdit={() => edits.open(project)}
        onAddMilestone={() => additions.open(null)}
      />
      <div className={columnsClass}>
        <div className={clsx('min-w-0', selected && 'max-lg:hidden')}>
          <MilestonesPanel
            project={project}
            milestones={milestones}
            selectedId={selected?._id}
            pathTo={params.pathTo}
            canEdit={canEdit}
            onAdd={() => additions.open(null)}
          />
        </div>
        <EntriesPanel projectId={projectId} milestone={selected} canEdit={canEdit} wayBack={params.wayBack} />
      </div>
      {params.editing && openedId === editedId && (
        <EntryEditor projectId={projectId} {...params.editing} onClose={params.closeEditor} />
      )}
      {additions.dialogs.map(({ key }) => (
        <AddMilestoneDialog key={key} projectId={projectId} onClose={() => additions.close(key)} />
      ))}
      {sharing && (
        <ShareDialog project={project} canPublish={canChangeProject} onClose={() => setSharing(false)} />
      )}
      {managing && <ManageDialog project={project} onClose={() => setManaging(false)} />}
      {edits.dialogs.map(({ key, subject }) => (
        <EditProjectDialog key={key} project={subject} onClose={() => edits.close(key)} />
      ))}
    </>
  )
}

/** The timeline beside the entries where there is room. */
export const columnsClass = 'grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[21rem_minmax(0,1fr)]'

const SELECTED = 'selected'

type MovedTo = { projectId: string; milestoneId: string }

/**
 * The search params of a project's page: `selected` is the milestone whose entries are shown; `edit` and `milestone`
 * together open the editor on an entry.
 */
function useProjectParams() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const entryId = params.get('edit')
  const milestoneId = params.get('milestone')

  function withoutEditor() {
    const next = new URLSearchParams(params)
    next.delete('edit')
    next.delete('milestone')
    return next
  }

  function pathTo({ _id }: Milestone): string {
    const next = forAnotherMilestone(withoutEditor())
    next.set(SELECTED, _id)
    return `?${next}`
  }

  /** `moved` is where the entry is now, if it was moved: its page has another path then. */
  function closeEditor(moved?: MovedTo) {
    if (moved && entryId) historyLayers().leave(() => void openMoved(moved, entryId))
    else if (isFromEntryPage(state)) historyLayers().leave(() => void navigate(-1))
    else closeInPlace()
  }

  async function openMoved({ projectId, milestoneId: milestone }: MovedTo, _id: string) {
    await navigate(entryPath(projectId, { _id, milestone }), { replace: true })
  }

  function closeInPlace() {
    const next = withoutEditor()
    if (milestoneId) next.set(SELECTED, milestoneId)
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return {
    selectedId: params.get(SELECTED) ?? milestoneId ?? undefined,
    pathTo,
    wayBack: { search: '' },
    editing: entryId && milestoneId ? { entryId, milestoneId } : null,
    closeEditor,
  }
}
