import { clsx } from 'clsx'
import { useState } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { ManageDialog } from '#web/collaborators/dialogs.ts'
import { EntryEditor } from '#web/entries/dialogs.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs } from '#web/forms/use-dialogs.ts'
import { useReopenedForm } from '#web/forms/use-reopened-form.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import type { useMilestones } from '#web/milestones/queries.ts'
import { EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { EntriesPanel } from './entries-panel.tsx'
import { MilestonesPanel } from './milestones-panel.tsx'
import { ProjectHeader } from './project-header.tsx'
import { useProjectPlace } from './use-project-params.ts'

type ProjectViewProps = {
  project: Project
  permissions: Permissions
  trail: ReturnType<typeof useMilestones>
  spinning: boolean
}

/** A project's page: the trail beside the entries; on a phone the one, and from it the other. */
export function ProjectView({ project, permissions, trail, spinning }: ProjectViewProps) {
  const { _id: projectId } = project
  const { canEdit, canManageCollaborators, role } = permissions
  const mayChange = role === 'owner' || role === 'admin'
  const place = useProjectPlace()
  const [sharing, setSharing] = useState(false)
  const [managing, setManaging] = useState(false)
  if (managing && !canManageCollaborators) setManaging(false)
  const edits = useDialogs<Project>()
  const additions = useDialogs<null>()
  const selected = trail.milestones.find(({ _id }) => _id === place.selectedId)

  useReopenedForm((wasInterrupted) => {
    if (mayChange && wasInterrupted(formNames.project(project))) edits.open(project)
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
        mayChange={mayChange}
        onShare={() => setSharing(true)}
        onManageCollaborators={() => setManaging(true)}
        onEdit={() => edits.open(project)}
        onAddMilestone={() => additions.open(null)}
      />
      <div className={columnsClass}>
        <div className={clsx('min-w-0', selected && 'max-lg:hidden')}>
          <MilestonesPanel
            project={project}
            trail={trail}
            selectedId={selected?._id}
            pathTo={place.pathTo}
            canEdit={canEdit}
            onAdd={() => additions.open(null)}
          />
        </div>
        <EntriesPanel projectId={projectId} milestone={selected} canEdit={canEdit} wayBack={place.wayBack} />
      </div>
      {canEdit && place.editing && (
        <EntryEditor projectId={projectId} {...place.editing} onClose={place.closeEditor} />
      )}
      {additions.dialogs.map(({ key }) => (
        <AddMilestoneDialog key={key} projectId={projectId} onClose={() => additions.close(key)} />
      ))}
      {sharing && <ShareDialog project={project} mayPublish={mayChange} onClose={() => setSharing(false)} />}
      {managing && <ManageDialog project={project} onClose={() => setManaging(false)} />}
      {edits.dialogs.map(({ key, subject }) => (
        <EditProjectDialog key={key} project={subject} onClose={() => edits.close(key)} />
      ))}
    </>
  )
}

/** Side by side where there is room: the trail, and what is written at its selected milestone. */
export const columnsClass = 'grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[21rem_minmax(0,1fr)]'
