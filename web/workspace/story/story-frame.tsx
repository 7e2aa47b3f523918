import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { Story } from '#contract/story.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { isNotFound } from '#web/projects/queries.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { storyPath, storyQuery } from './queries.ts'

type StoryFrameProps = {
  /** The number of entries in a part; by default that of the story to read. */
  limit?: number
  title: (story: Story) => string
  children: (story: Story) => ReactNode
}

/** The screen of a part of a project's story for its members: the page or the entry of the URL, or that it could not be fetched. */
export function StoryFrame({ limit, title, children }: StoryFrameProps) {
  const { projectId = '' } = useParams()
  const [params] = useSearchParams()
  const [page, entry] = [Number(params.get('page') ?? 1), params.get('entry')]
  const query = { page, ...(entry !== null && { entry }), ...(limit !== undefined && { limit }) }
  const { data, error, isPending, refetch } = useQuery(storyQuery(projectId, query))
  if (!data && isNotFound(error))
    return (
      <Page>
        <ScreenTitle>Page not found</ScreenTitle>
        <EmptyState
          drawing="signpost"
          heading="h1"
          title="There is no such part of the story"
          action={<LinkButton to={storyPath(projectId)}>To the beginning</LinkButton>}
        >
          The project may have been deleted, or you are not one of its members.
        </EmptyState>
      </Page>
    )
  return (
    <Page width="reading">
      {isPending && <Loading />}
      {!data && error && (
        <>
          <ScreenTitle>Story</ScreenTitle>
          <FetchFailed title="The story could not be fetched" onRetry={() => void refetch()} />
        </>
      )}
      {data && (
        <>
          <ScreenTitle>{title(data)}</ScreenTitle>
          <div data-print="hidden">
            <Breadcrumb
              steps={[
                { label: data.project.title, to: `/projects/${projectId}` },
                ...(limit === undefined ? [] : [{ label: 'Story', to: storyPath(projectId) }]),
                { label: limit === undefined ? 'Story' : 'Print' },
              ]}
            />
          </div>
          {children(data)}
        </>
      )}
    </Page>
  )
}

function Loading() {
  return (
    <output className="block">
      <ScreenTitle>Story</ScreenTitle>
      <VisuallyHidden>Loading the story</VisuallyHidden>
      <Skeleton className="mb-10 h-10 w-10/12" />
      <SkeletonText lines={12} />
    </output>
  )
}
