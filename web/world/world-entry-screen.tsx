import type { CachedParams } from '#contract/rendering.ts'
import { answerVisitor } from '#web/api/answer.server.ts'
import { EntryImage } from '#web/entries/entry-image.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { sendMarkup } from '#web/markdown/send-markup.server.ts'
import { Page } from '#web/ui/page.tsx'
import type { Route } from './+types/world-entry-screen'
import { EntryHead } from './entry-head.tsx'
import { EntryHeader } from './entry-header.tsx'
import { EntryNeighbours } from './entry-neighbours.tsx'
import { entryPage } from './entry-page.server.ts'
import { Missing } from './missing.tsx'
import { worldEntryPath } from './paths.ts'
import { entryPicture } from './picture.server.ts'

export const cachedParams: CachedParams = {}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { html, ...page } = entryPage(await answerVisitor(context, 'readWorldEntry', { params }))
  const own = worldEntryPath(page.project._id, page.entry._id)
  return {
    ...page,
    html: sendMarkup(context, page.entry._id, html),
    canonical: new URL(own, request.url).href,
    pictureURL: entryPicture(request, page),
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
  return (
    <Missing error={error} title="Entry not found">
      It may have been deleted, or its project is no longer public.
    </Missing>
  )
}
