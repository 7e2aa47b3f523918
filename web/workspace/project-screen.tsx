import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { refreshPermissions, usePermissions, useProject } from '#web/projects/queries.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { EntriesSkeleton } from './entries-panel.tsx'
import { MilestonesSkeleton, TrailSkeleton } from './milestones-panel.tsx'
import { columnsClass, ProjectView } from './project-view.tsx'

const SPINNER_GRACE_MS = 3000

/** A project: its milestones, and the entries of the selected one. */
export default function ProjectScreen() {
  const { projectId = '' } = useParams()
  return (
    <Page key={projectId}>
      <ProjectOrError projectId={projectId} />
    </Page>
  )
}

function ProjectOrError({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const project = useProject(projectId)
  const { permissions, ...rights } = usePermissions(projectId)
  const milestones = useMilestones(projectId)
  const loading = project.isPending || rights.isPending || milestones.isPending
  const [wasShown, setShown] = useState(false)
  if (project.data && permissions.canView && !wasShown) setShown(true)
  const spinning = useLingering(loading, SPINNER_GRACE_MS)

  // The project was deleted or hidden after the rights were fetched; refetching them shows which.
  useEffect(() => {
    if (project.isAbsent && permissions.canView) refreshPermissions(client, projectId)
  }, [client, project.isAbsent, permissions.canView, projectId])

  function retry() {
    if (rights.isUnknown) void rights.refetch()
    if (project.isError) void project.refetch()
  }

  if (rights.isAbsent) return <ProjectNotFound />
  if (rights.isUnknown && !project.isFetching) {
    const hasFailed = project.isError || project.isRefetchError
    return hasFailed ? <ProjectFailed onRetry={retry} /> : <AccessDenied onRetry={retry} />
  }
  if (!permissions.canView && (rights.isKnown || (!rights.isPending && (project.data || wasShown))))
    return <AccessDenied />
  if (project.isAbsent && !rights.isPending) return <ProjectNotFound />
  if (project.data) {
    return (
      <>
        <ScreenTitle>{project.data.title}</ScreenTitle>
        <Outdated of={[project, milestones]} className="mb-6" />
        <ProjectView
          project={project.data}
          isSummary={project.isPlaceholderData && !project.isRefetchError}
          permissions={permissions}
          rightsPending={rights.isPending}
          milestones={milestones}
          spinning={spinning}
        />
      </>
    )
  }
  if (project.isError && !project.isAbsent) return <ProjectFailed onRetry={retry} />
  return <ProjectLoading />
}

const toDashboard = <LinkButton to="/dashboard">Back to Dashboard</LinkButton>

function ProjectNotFound() {
  return (
    <>
      <ScreenTitle>Project not found</ScreenTitle>
      <EmptyState drawing="signpost" heading="h1" title="Project not found" action={toDashboard}>
        It may have been deleted.
      </EmptyState>
    </>
  )
}

/**
 * Shown without the right to view the project, which includes rights that could not be fetched (section 6 of the specification);
 * `onRetry` refetches them.
 */
function AccessDenied({ onRetry }: { onRetry?: () => void }) {
  return (
    <>
      <ScreenTitle>Access Denied</ScreenTitle>
      <EmptyState
        drawing="gate"
        heading="h1"
        title="Access Denied"
        action={onRetry ? <DashboardOrAgain onRetry={onRetry} /> : toDashboard}
      >
        You don't have permission to view this project.
      </EmptyState>
    </>
  )
}

function DashboardOrAgain({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-wrap gap-2.5">
      {toDashboard}
      <TryAgain variant="primary" onClick={onRetry} />
    </div>
  )
}

/** Shown when the project could not be fetched, although it may exist. */
function ProjectFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      <ScreenTitle>Project</ScreenTitle>
      <EmptyState
        drawing="broken"
        heading="h1"
        title="This project could not be fetched"
        action={<DashboardOrAgain onRetry={onRetry} />}
      >
        Nothing is lost. Check your connection and try again.
      </EmptyState>
    </>
  )
}

/** The skeleton of the screen. */
function ProjectLoading() {
  return (
    <>
      <ScreenTitle>Project</ScreenTitle>
      <div className="mb-8 flex items-start justify-between gap-8">
        <div className="w-full max-w-reading">
          <Skeleton className="h-10 w-2/3" />
          <Skeleton className="mt-3 h-5 w-full" />
        </div>
        <Spinner label="Loading project" className="whitespace-nowrap" />
      </div>
      <div className={columnsClass}>
        <div className="max-lg:hidden lg:pt-6">
          <MilestonesSkeleton />
        </div>
        <div className="lg:hidden">
          <TrailSkeleton />
        </div>
        <EntriesSkeleton />
      </div>
    </>
  )
}

/** Returns true while `active`, and for `ms` after it first ends. */
function useLingering(active: boolean, ms: number): boolean {
  const [over, setOver] = useState(!active)

  useEffect(() => {
    if (active) return undefined
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [active, ms])

  return active || !over
}
