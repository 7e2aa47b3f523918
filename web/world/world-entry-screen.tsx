import { data, isRouteErrorResponse } from 'react-router'
import type { CachedParams } from '#contract/rendering.ts'
import { answerVisitor } from '#web/api/answer.server.ts'
import { EntryImage } from '#web/entries/reading/entry-image.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { sendMarkup } from '#web/markdown/send-markup.server.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import type { Route } from './+types/world-entry-screen'
import { EntryHead } from './entry-head.tsx'
import { EntryHeader } from './entry-header.tsx'
import { EntryNeighbours } from './entry-neighbours.tsx'
import { entryPage } from './entry-page.server.ts'
import { Missing } from './missing.tsx'
import { worldEntryPath, worldPath } from './paths.ts'
import { entryPicture } from './picture.server.ts'

export const cachedParams: CachedParams = {}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const found = await answerVisitor(context, 'readWorldEntry', { params }).catch(async (error: unknown) => {
    throw await offeringProject(error, params.projectId, context)
  })
  const { html, ...page } = entryPage(found)
  const own = worldEntryPath(page.project._id, page.entry._id)
  return {
    ...page,
    html: sendMarkup(context, page.entry._id, html),
    canonical: new URL(own, request.url).href,
    pictureURL: entryPicture(request, page),
  }
}

/** That an entry is missing, with the project that it was looked for in where that is public. */
async function offeringProject(
  error: unknown,
  projectId: string,
  context: Route.LoaderArgs['context'],
): Promise<unknown> {
  try {
    const { project } = await answerVisitor(context, 'readWorldPage', { params: { projectId }, query: {} })
    return data({ project: { _id: project._id, title: project.title } }, { status: 404 })
  } catch {
    return error // the project is missing as well
  }
}

/** One entry of a public project, to be read. */
export default function WorldEntryScreen({ loaderData }: Route.ComponentProps) {
  const { project, milestone, entry, html, previous, next, canonical } = loaderData
  return (
    <Page width="reading">
      <EntryHead page={loaderData} />
      <article>
        <EntryHeader project={project} milestone={milestone} entry={entry} />
        <EntryImage entry={entry} />
        <RenderedMarkdown name={entry._id} html={html} />
      </article>
      <EntryNeighbours projectId={project._id} previous={previous} next={next} />
      <p className="mt-10 hidden border-t border-line pt-3 text-sm text-muted print:block">
        {project.title}, {canonical}
      </p>
    </Page>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { project } = (isRouteErrorResponse(error) ? error.data : {}) as Offered
  return (
    <Missing
      error={error}
      title="Entry not found"
      action={project && <LinkButton to={worldPath(project._id)}>Back to “{project.title}”</LinkButton>}
    >
      {project
        ? 'It may have been deleted. The project that it was part of is still there.'
        : 'It may have been deleted, or its project is no longer public.'}
    </Missing>
  )
}

type Offered = { project?: { _id: string; title: string } }
