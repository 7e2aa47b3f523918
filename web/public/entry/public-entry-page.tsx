import { Globe, Link as LinkIcon } from 'lucide-react'
import type { WorldEntry } from '#contract/world.ts'
import { EntryImage, showsImage } from '#web/entries/reading/entry-image.tsx'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { StoryNeighbors } from '#web/entries/reading/story-neighbors.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { AboutProject } from '#web/public/about-project.tsx'
import { BackToProject } from '#web/public/back-to-project.tsx'
import {
  publicEntryPath,
  publicPath,
  publicReactionsPath,
  publicTagPath,
  SHOWN_ANCHOR,
} from '#web/public/paths.ts'
import { ReactionForm } from '#web/public/reactions/reaction-form.tsx'
import { entryPicture } from '#web/public/share-picture.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { AuthorPicture } from '#web/ui/layout/avatar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import { EntryHead } from './entry-head.tsx'
import { type EntryPage, entryPage } from './entry-page.ts'

/** The page of a public entry. */
export function PublicEntryPage({ found, origin }: { found: WorldEntry; origin: string }) {
  const page = entryPage(found)
  const { project, milestone, entry, html, previous, next } = page
  const canonical = new URL(publicEntryPath(project._id, entry._id), origin).href
  return (
    <Page width="reading">
      <EntryHead page={{ ...page, canonical, picture: entryPicture(origin, page) }} />
      <article>
        <EntryHeader project={project} milestone={milestone} entry={entry} />
        {!showsImage(html, entry.imageURL) && <EntryImage entry={entry} />}
        <RenderedMarkdown name={entry._id} html={html} />
      </article>
      {project.takesReactions && (
        <div className="mt-10 border-t border-line pt-6" data-online data-print="hidden">
          <ReactionForm path={publicReactionsPath(project._id, entry._id)} />
        </div>
      )}
      {!project.isAlone && (
        <StoryNeighbors
          previous={previous}
          next={next}
          pathOf={({ _id }) => publicEntryPath(project._id, _id)}
          milestonePathOf={(id) => `${publicPath(project._id, { milestone: id })}#${SHOWN_ANCHOR}`}
        />
      )}
      {/* Nobody is led away before the end of the story. */}
      {!next && !project.isShared && <AboutProject project={project} />}
      <p className="mt-10 hidden border-t border-line pt-3 text-sm text-muted print:block">
        <bdi>{project.title}</bdi>
        {!project.isShared && `, ${canonical}`}
      </p>
    </Page>
  )
}

/** The entry's project, title, author, date, reading time, milestone and tags. */
function EntryHeader({ project, milestone, entry }: Pick<EntryPage, 'project' | 'milestone' | 'entry'>) {
  const toMilestone = `${publicPath(project._id, { milestone: milestone._id })}#${SHOWN_ANCHOR}`
  return (
    <header className="mb-10 border-b border-line pb-7">
      {!project.isAlone && <BackToProject to={publicPath(project._id)} title={project.title} />}
      <p data-online>
        {project.isListed ? (
          <Badge tone="success" icon={<Globe aria-hidden="true" />}>
            Public Entry
          </Badge>
        ) : (
          <Badge icon={<LinkIcon aria-hidden="true" />}>
            {project.isShared ? 'Shared with you' : 'Unlisted Entry'}
          </Badge>
        )}
      </p>
      <h1 lang="" className="mt-4 font-reading text-4xl font-medium tracking-tight">
        {entry.title}
      </h1>
      <p className="facts mt-5 text-sm text-muted">
        <span>
          By <AuthorPicture url={entry.authorPicture} />
          <bdi className="font-semibold text-ink">{entry.authorName}</bdi>
        </span>
        <Day on={entry.happenedOn} zone={entry.happenedZone} />
        <span>{entry.minutes} min read</span>
      </p>
      <p className="mt-1.5 text-sm text-muted">
        {project.isAlone ? 'Project' : 'Milestone'}{' '}
        {project.isAlone ? (
          <bdi className="font-semibold text-ink">{project.title}</bdi>
        ) : (
          <Link
            to={toMilestone}
            className="rounded-sm font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent"
          >
            <bdi>{milestone.title}</bdi>
          </Link>
        )}
      </p>
      {entry.tags.length > 0 && (
        <div className="mt-4">
          <EntryTags
            tags={entry.tags}
            {...(!project.isAlone && { pathOf: (tag) => publicTagPath(project._id, tag) })}
          />
        </div>
      )}
    </header>
  )
}
