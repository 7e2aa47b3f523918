import { isRouteErrorResponse } from 'react-router'
import { answerVisitor } from '#web/api/answer.server.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import type { Route } from './+types/world-project-screen'
import { AboutProject } from './about-project.tsx'
import { Missing } from './missing.tsx'
import { worldPath } from './paths.ts'
import { projectPicture } from './picture.server.ts'
import { ProjectHead } from './project-head.tsx'
import { projectPage } from './project-page.ts'
import { readWorldSearch, worldSearchParams } from './search-params.ts'
import { ShownMilestone } from './shown-milestone.tsx'
import { Trail } from './trail.tsx'
import { WorldHeader } from './world-header.tsx'

export const cachedParams = worldSearchParams

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const query = readWorldSearch(new URL(request.url).searchParams)
  const page = projectPage(await answerVisitor(context, 'readWorldPage', { params, query }))
  const { shown } = page
  const milestone = shown && !shown.isFirst ? shown._id : undefined
  const own = worldPath(page.project._id, { ...(milestone && { milestone }), page: shown?.page ?? 1 })
  return { ...page, canonical: new URL(own, request.url).href, pictureURL: projectPicture(request, page) }
}

/** What anybody may read of a public project. */
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
      <Missing
        error={error}
        title="Page not found"
        action={<LinkButton to={worldPath(params.projectId)}>To the first page</LinkButton>}
      >
        This project does not have that many pages of entries.
      </Missing>
    )
  return (
    <Missing error={error} title="Project not found or not public">
      It may have been made private again, or the link may be incomplete.
    </Missing>
  )
}

/** Whether the project is there, and only the page of entries is not. */
const isPastTheEnd = (error: unknown) =>
  isRouteErrorResponse(error) && error.status === 404 && error.data?.code === 'page_not_found'
