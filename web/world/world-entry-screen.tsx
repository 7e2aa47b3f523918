import { data } from 'react-router'
import { answerVisitor } from '#web/api/answer.server.ts'
import { EntryImage } from '#web/entries/entry-image.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { PublicHead } from '#web/shell/public-head.tsx'
import { Page } from '#web/ui/page.tsx'
import type { Route } from './+types/world-entry-screen'
import { EntryHeader } from './entry-header.tsx'
import { EntryNeighbours } from './entry-neighbours.tsx'
import { entryPage } from './entry-page.server.ts'
import { Missing } from './missing.tsx'
import { worldEntryPath } from './paths.ts'

const MISSING = 'Entry not found'

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const world = await answerVisitor(context, 'readWorld', { params: { projectId: params.projectId } })
  const page = entryPage(world, params.entryId)
  if (!page) throw data({ code: 'not_found', message: MISSING }, { status: 404 })
  const own = worldEntryPath(page.project._id, page.entry._id)
  return { ...page, canonical: new URL(own, request.url).href }
}

/** One entry of a public project, to be read. */
export default function WorldEntryScreen({ loaderData }: Route.ComponentProps) {
  const { project, milestone, entry, previous, next, canonical } = loaderData
  return (
    <Page width="reading">
      <PublicHead
        title={`${entry.title} · ${project.title}`}
        description={entry.summary}
        canonical={canonical}
      />
      <article>
        <EntryHeader project={project} milestone={milestone} entry={entry} />
        <EntryImage entry={entry} />
        <RenderedMarkdown html={entry.html} />
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
    <Missing error={error} title={MISSING}>
      It may have been deleted, or its project is no longer public.
    </Missing>
  )
}
