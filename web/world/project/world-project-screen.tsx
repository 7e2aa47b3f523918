import { Globe, Rss } from 'lucide-react'
import { data, isRouteErrorResponse } from 'react-router'
import { answerVisitor } from '#web/api/answer.server.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { feedNames } from '#web/world/feed/feed-links.tsx'
import { indexingHeaders } from '#web/world/indexing.server.ts'
import { FEED_FORMATS, worldFeedPath, worldPath } from '#web/world/paths.ts'
import { projectPicture } from '#web/world/picture.server.ts'
import { PublicPageError } from '#web/world/public-page-error.tsx'
import type { Route } from './+types/world-project-screen'
import { ProjectHead } from './project-head.tsx'
import { type ProjectPage, projectPage, readWorldSearch, worldSearchParams } from './project-page.ts'
import { ShownMilestone } from './shown-milestone.tsx'
import { Trail } from './trail.tsx'

export const cachedParams = worldSearchParams

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const query = readWorldSearch(new URL(request.url).searchParams)
  const page = projectPage(await answerVisitor(context, 'readWorldPage', { params, query }))
  const { shown } = page
  const milestone = shown && !shown.isFirst ? shown._id : undefined
  const own = worldPath(page.project._id, { ...(milestone && { milestone }), page: shown?.page ?? 1 })
  return data(
    { ...page, canonical: new URL(own, request.url).href, pictureURL: projectPicture(request, page) },
    { headers: indexingHeaders(page.project.isListed) },
  )
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

/** The page of a public project. */
export default function WorldProjectScreen({ loaderData }: Route.ComponentProps) {
  const { project, milestones, shown } = loaderData
  return (
    <Page className="relative">
      <ProjectHead page={loaderData} />
      <WorldHeader project={project} milestones={milestones} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-12 lg:grid-cols-[21rem_minmax(0,1fr)]">
        <Trail projectId={project._id} milestones={milestones} shownId={shown?._id} />
        {shown && <ShownMilestone projectId={project._id} milestone={shown} />}
      </div>
      <AboutProject projectId={project._id} />
    </Page>
  )
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  if (params.projectId !== undefined && isPastTheEnd(error))
    return (
      <PublicPageError
        error={error}
        title="Page not found"
        action={<LinkButton to={worldPath(params.projectId)}>To the first page</LinkButton>}
      >
        This project does not have that many pages of entries.
      </PublicPageError>
    )
  return (
    <PublicPageError error={error} title="Project not found or not public">
      It may have been made private again, or the link may be incomplete.
    </PublicPageError>
  )
}

/** Returns whether the project exists and only the page of entries does not. */
const isPastTheEnd = (error: unknown) =>
  isRouteErrorResponse(error) && error.status === 404 && error.data?.code === 'page_not_found'

type WorldHeaderProps = Pick<ProjectPage, 'project' | 'milestones'>

/** The project's title, description, owner and progress. */
function WorldHeader({ project, milestones }: WorldHeaderProps) {
  const { title, description, ownerName, createdAt, progress, isListed } = project
  const completed = milestones.filter((milestone) => milestone.completed).length
  const reached = `${completed} of ${milestones.length} milestones completed`
  return (
    <header className="mb-12 max-w-reading">
      <Badge tone="success" icon={<Globe aria-hidden="true" />}>
        {isListed ? 'Public Project' : 'Unlisted Project'}
      </Badge>
      <h1 className="mt-4 font-reading text-4xl font-medium tracking-tight">{title}</h1>
      <p className="mt-3 text-lg whitespace-pre-line text-muted">{description}</p>
      <p className="mt-5 text-sm text-muted">
        Created by <bdi className="font-semibold text-ink">{ownerName}</bdi>
        <span className="mx-2" aria-hidden="true">
          ·
        </span>
        begun <Time iso={createdAt} />
      </p>
      {milestones.length > 0 && (
        <div className="mt-5 max-w-md">
          <ProgressBar value={progress} valueText={`${progress}%, ${reached}`} />
          <p className="mt-1 text-sm text-muted">{reached}</p>
        </div>
      )}
    </header>
  )
}

/** Explains Milepost to readers of a public project. */
function AboutProject({ projectId }: { projectId: string }) {
  return (
    <aside
      aria-labelledby="about-title"
      className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-xl border border-line bg-sunken p-6 sm:p-8"
      data-print="hidden"
    >
      <div className="max-w-[36rem]">
        <h2 id="about-title" className="text-lg font-semibold">
          About This Project
        </h2>
        <p className="mt-1 text-muted">
          Its owner writes it down in Milepost, milestone by milestone, and lets everybody read along.
        </p>
        <FeedSubscription projectId={projectId} />
      </div>
      <div className="flex min-w-0 flex-wrap gap-2.5">
        <LinkButton
          to="/"
          variant="primary"
          className="h-auto! min-h-10 py-1.5 text-center whitespace-normal! pointer-coarse:min-h-11"
        >
          Create your own journal
        </LinkButton>
        <LinkButton to="/markdown-guide">Markdown guide</LinkButton>
      </div>
    </aside>
  )
}

/** Links to the project's feeds. */
function FeedSubscription({ projectId }: { projectId: string }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span className="inline-flex items-center gap-2">
        <Rss className="size-4 shrink-0" aria-hidden="true" />
        Follow in a feed reader
      </span>
      {FEED_FORMATS.map((format) => (
        <a
          key={format}
          href={worldFeedPath(projectId, format)}
          type={feedNames[format].type}
          className="rounded-sm py-1 font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:py-2.5"
        >
          {feedNames[format].name}
        </a>
      ))}
    </p>
  )
}
