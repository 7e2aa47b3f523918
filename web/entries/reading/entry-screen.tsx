import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { isTransient } from '#web/api/query-client.ts'
import { movedPath } from '#web/entries/paths.ts'
import { movedEntryQuery, useEntry } from '#web/entries/queries.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { isNotFound, usePermissions, useProject } from '#web/projects/queries.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { EntryNotFound } from './entry-not-found.tsx'
import { EntryView } from './entry-view.tsx'

type EntryParams = { projectId: string; milestoneId: string; entryId: string }

/** The page of an entry, with actions for people who may edit it. */
export default function EntryScreen() {
  const { projectId = '', milestoneId = '', entryId = '' } = useParams()
  return (
    <Page width="reading">
      <EntryOrError
        key={`${milestoneId} ${entryId}`}
        projectId={projectId}
        milestoneId={milestoneId}
        entryId={entryId}
      />
    </Page>
  )
}

function EntryOrError({ projectId, milestoneId, entryId }: EntryParams) {
  const entry = useEntry(milestoneId, entryId)
  const project = useProject(projectId)
  const milestones = useMilestones(projectId)
  const { permissions, ...rights } = usePermissions(projectId)
  // The content above the text depends on all of these queries. It is shown together, so that the text does not move.
  const isComplete = !project.isPending && !milestones.isPending && !rights.isPending
  const milestone = milestones.milestones.find(({ _id }) => _id === milestoneId)
  const isUnlisted = !milestones.isPending && !milestones.isError && !milestone
  // The list may have been cached before the milestone was created in another tab.
  const isOutdated = isUnlisted && !milestones.isFetchedAfterMount
  const isElsewhere = isUnlisted && !isOutdated
  const { refetch: refetchMilestones } = milestones

  useEffect(() => {
    if (isOutdated) void refetchMilestones({ cancelRefetch: false })
  }, [isOutdated, refetchMilestones])

  function retry() {
    for (const { refetch } of [entry, project, milestones, rights]) void refetch()
  }

  if ((entry.error && !(entry.data && isTransient(entry.error))) || isElsewhere) {
    return (
      <MovedOrMissing
        milestoneId={milestoneId}
        entryId={entryId}
        error={entry.error}
        onRetry={retry}
        wayBack={
          project.isAbsent ? (
            <LinkButton to="/dashboard">Back to Dashboard</LinkButton>
          ) : (
            <LinkButton to={`/projects/${projectId}`}>Back to Project</LinkButton>
          )
        }
      />
    )
  }
  if (!entry.data || !isComplete || isOutdated) return <EntryLoading />
  return (
    <>
      <ScreenTitle>{entry.data.title}</ScreenTitle>
      <Outdated of={[entry]} className="mb-6" />
      <EntryView
        projectId={projectId}
        projectTitle={project.data?.title ?? 'Project'}
        milestoneTitle={milestone?.title}
        entry={entry.data}
        canEdit={permissions.canEdit}
      />
    </>
  )
}

type MovedOrMissingProps = Pick<EntryParams, 'milestoneId' | 'entryId'> &
  Pick<ComponentProps<typeof EntryNotFound>, 'error' | 'onRetry' | 'wayBack'>

/** Redirects to a moved entry if the person may view it there; otherwise shows that it was not found. */
function MovedOrMissing({ milestoneId, entryId, ...missing }: MovedOrMissingProps) {
  const { error } = missing
  const known = movedPath(entryId, milestoneId)
  const enabled = known === null && (error === null || isNotFound(error))
  const search = useQuery({ ...movedEntryQuery(milestoneId, entryId), enabled })
  const moved = known ?? search.data
  if (moved) return <Navigate to={moved} replace />
  if (enabled && search.isFetching && search.data === undefined) return <EntryLoading />
  return (
    <>
      <ScreenTitle>Entry not found</ScreenTitle>
      {enabled && search.error ? (
        <EntryNotFound heading="h1" {...missing} error={search.error} onRetry={() => void search.refetch()} />
      ) : (
        <EntryNotFound heading="h1" {...missing} />
      )}
    </>
  )
}

function EntryLoading() {
  return (
    <output className="block">
      <ScreenTitle>Entry</ScreenTitle>
      <VisuallyHidden>Loading the entry</VisuallyHidden>
      <Skeleton className="mb-3 h-5 w-64 max-w-full max-sm:my-3" />
      <div className="mb-8 border-b border-line pb-3">
        <Skeleton className="h-10 w-10/12" />
        <Skeleton className="mt-3 h-5 w-80 max-w-full" />
        <div className="mt-2 flex items-center justify-between gap-6">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-8 w-64 pointer-coarse:h-11" />
        </div>
      </div>
      <SkeletonText lines={10} />
    </output>
  )
}
