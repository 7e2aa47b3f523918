import { answerVisitor } from '#web/api/answer.server.ts'
import { Page } from '#web/ui/page.tsx'
import type { Route } from './+types/world-project-screen'
import { AboutProject } from './about-project.tsx'
import { Missing } from './missing.tsx'
import { worldPath } from './paths.ts'
import { projectPicture } from './picture.server.ts'
import { ProjectHead } from './project-head.tsx'
import { projectPage } from './project-page.ts'
import { ShownMilestone } from './shown-milestone.tsx'
import { Trail } from './trail.tsx'
import { wishIn } from './wish.server.ts'
import { WorldHeader } from './world-header.tsx'

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const query = wishIn(new URL(request.url).searchParams)
  const page = projectPage(await answerVisitor(context, 'readWorldPage', { params, query }))
  const milestone = page.shown?._id === page.milestones[0]?._id ? undefined : page.shown?._id
  const own = worldPath(page.project._id, { ...(milestone && { milestone }), page: page.shown?.page ?? 1 })
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

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Missing error={error} title="Project not found or not public">
      It may have been made private again, or the link may be incomplete.
    </Missing>
  )
}
