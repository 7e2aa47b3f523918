import { data } from 'react-router'
import type { CachedParams } from '#contract/rendering.ts'
import { runCallForVisitor } from '#web/api/run-call.server.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { FeedLinks } from '#web/world/feed/feed-links.tsx'
import { worldPath } from '#web/world/paths.ts'
import { PublicPageError } from '#web/world/public-page-error.tsx'
import type { Route } from './+types/follow-screen'
import { FollowOptions } from './follow-options.tsx'

export const cachedParams: CachedParams = {}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { project } = await runCallForVisitor(context, 'readWorldPage', { params, query: {} })
  const canonical = new URL(worldPath(project._id), request.url).href
  return data(
    { _id: project._id, title: project.title, canonical },
    { headers: { 'x-robots-tag': 'noindex' } },
  )
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

/** The page about the feeds of a public project, for browsers without scripts and for links. */
export default function FollowScreen({ loaderData }: Route.ComponentProps) {
  const { _id, title, canonical } = loaderData
  return (
    <Page width="narrow">
      <ScreenTitle>{`Follow ${title}`}</ScreenTitle>
      <NoIndex />
      <FeedLinks projectId={_id} title={title} canonical={canonical} />
      <h1 className="font-reading text-3xl font-medium tracking-tight">Follow This Project</h1>
      <p className="mt-2 text-lg text-muted">
        <bdi lang="">{title}</bdi>
      </p>
      <div className="my-6 flex flex-col gap-5">
        <FollowOptions projectId={_id} origin={canonical} />
      </div>
      <LinkButton to={worldPath(_id)}>To the project</LinkButton>
    </Page>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PublicPageError error={error} title="Project not found or not public">
      It may have been made private again, or the link may be incomplete.
    </PublicPageError>
  )
}
