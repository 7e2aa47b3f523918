import { useState } from 'react'
import { useParams } from 'react-router'
import { useMilestones } from '#web/milestones/queries.ts'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { Page } from '#web/ui/page.tsx'
import { AccessDenied, ProjectFailed, ProjectNotFound } from './no-project.tsx'
import { ProjectComing } from './project-coming.tsx'
import { ProjectView } from './project-view.tsx'
import { usePermissions, useProject } from './queries.ts'
import { useLingering } from './use-lingering.ts'

const SPINNER_GRACE_MS = 3000

/** One project: its milestones, and the entries of the selected one. */
export default function ProjectScreen() {
  const { projectId = '' } = useParams()
  return (
    <Page key={projectId}>
      <ProjectOrWhyNot projectId={projectId} />
    </Page>
  )
}

function ProjectOrWhyNot({ projectId }: { projectId: string }) {
  const project = useProject(projectId)
  const { permissions, isPending: rightsUnknown } = usePermissions(projectId)
  const trail = useMilestones(projectId)
  const loading = project.isPending || rightsUnknown || trail.isPending
  const [wasShown, setShown] = useState(false)
  if (project.data && permissions.canView && !wasShown) setShown(true)
  const spinning = useLingering(loading, SPINNER_GRACE_MS)

  if ((project.data || wasShown) && !rightsUnknown && !permissions.canView) return <AccessDenied />
  if (project.isAbsent) return <ProjectNotFound />
  if (project.data) {
    return (
      <>
        <ScreenTitle>{project.data.title}</ScreenTitle>
        <ProjectView project={project.data} permissions={permissions} trail={trail} spinning={spinning} />
      </>
    )
  }
  if (project.isError) return <ProjectFailed onRetry={() => void project.refetch()} />
  return <ProjectComing />
}
