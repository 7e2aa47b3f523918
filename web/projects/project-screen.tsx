import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { Page } from '#web/ui/page.tsx'
import { AccessDenied, ProjectFailed, ProjectNotFound } from './no-project.tsx'
import { ProjectComing } from './project-coming.tsx'
import { ProjectView } from './project-view.tsx'
import { refreshPermissions, usePermissions, useProject } from './queries.ts'
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
  const client = useQueryClient()
  const project = useProject(projectId)
  const { permissions, ...rights } = usePermissions(projectId)
  const trail = useMilestones(projectId)
  const loading = project.isPending || rights.isPending || trail.isPending
  const [wasShown, setShown] = useState(false)
  if (project.data && permissions.canView && !wasShown) setShown(true)
  const spinning = useLingering(loading, SPINNER_GRACE_MS)

  // It is gone or hidden since the rights were read, and they alone tell which of the two.
  useEffect(() => {
    if (project.isAbsent && permissions.canView) refreshPermissions(client, projectId)
  }, [client, project.isAbsent, permissions.canView, projectId])

  if (rights.isAbsent) return <ProjectNotFound />
  if (!permissions.canView && (rights.isKnown || (!rights.isPending && (project.data || wasShown))))
    return <AccessDenied />
  if (project.isAbsent && !rights.isPending) return <ProjectNotFound />
  if (project.data) {
    return (
      <>
        <ScreenTitle>{project.data.title}</ScreenTitle>
        <ProjectView project={project.data} permissions={permissions} trail={trail} spinning={spinning} />
      </>
    )
  }
  if (project.isError && !project.isAbsent) return <ProjectFailed onRetry={() => void project.refetch()} />
  return <ProjectComing />
}
