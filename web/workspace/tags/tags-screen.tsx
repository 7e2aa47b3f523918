import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { tagPath } from '#web/entries/paths.ts'
import { tagsQuery } from '#web/entries/tags/queries.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ProjectGone } from '#web/projects/project-gone.tsx'
import { isNotFound, useProject } from '#web/projects/queries.ts'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { tagChipClass } from '#web/ui/layout/badge.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'

/** All tags of a project; each leads to its page. */
export default function TagsScreen() {
  const { projectId = '' } = useParams()
  const project = useProject(projectId)
  const query = useQuery(tagsQuery(projectId))
  const title = project.data?.title ?? 'Project'
  if (project.isAbsent || isNotFound(query.error)) return <ProjectGone />
  return (
    <Page>
      <ScreenTitle>{`Tags of ${title}`}</ScreenTitle>
      <PageHeader title="Tags" lede="A tag opens its entries, where it can be renamed or merged">
        <Breadcrumb steps={[{ label: title, to: `/projects/${projectId}` }, { label: 'Tags' }]} />
      </PageHeader>
      {query.isPending && <Skeleton className="h-24" />}
      {query.isError && (
        <FetchFailed
          title="The tags could not be loaded"
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data?.tags.length === 0 && (
        <EmptyState drawing="page" title="No tags yet">
          Tags are added to entries while they are written.
        </EmptyState>
      )}
      {query.data && query.data.tags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {query.data.tags.map(({ name, entries }) => (
            <li key={name} className="flex max-w-full">
              <Link
                to={tagPath(projectId, name)}
                className={`${tagChipClass} min-h-9 gap-2 px-3 text-sm transition-colors hover:border-edge hover:text-ink pointer-coarse:min-h-11`}
              >
                <bdi className="truncate">{name}</bdi>
                <span className="text-muted tabular-nums">{entries.toLocaleString()}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {query.data?.isCut && (
        <p className="mt-6 text-sm text-muted">
          There are more. The search finds entries by every tag, with tag: before its name.
        </p>
      )}
    </Page>
  )
}
