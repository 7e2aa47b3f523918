import { ArrowLeft, ArrowRight, Printer } from 'lucide-react'
import type { Story } from '#contract/story.ts'
import { minutesToRead } from '#web/public/reading-time.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { ContinueReading } from './continue-reading.tsx'
import type { StoryPaths } from './story-paths.ts'

type StoryProps = { story: Story; paths: StoryPaths }

/** The title of a story, its reading time and its chapters, which may be in other parts. */
export function StoryHeader({ story: { project, pagination, contents, chapters }, paths }: StoryProps) {
  const { currentPage, totalPages, totalItems } = pagination
  const words = chapters.flatMap(({ entries }) => entries).reduce((sum, { wordCount }) => sum + wordCount, 0)
  return (
    <header className="mb-14">
      <h1 lang="" className="font-reading text-4xl font-medium tracking-tight">
        {project.title}
      </h1>
      <p className="facts mt-4 text-sm text-muted">
        <span>
          The story by <bdi className="font-semibold text-ink">{project.user.name}</bdi>
        </span>
        {totalPages > 1 && (
          <span>
            part {currentPage} of {totalPages}
          </span>
        )}
        {totalItems > 0 && <span>{minutesToRead(words)} min read</span>}
      </p>
      {totalItems > 0 && (
        <div className="mt-5 flex flex-wrap items-center gap-2" data-print="hidden" data-online>
          <LinkButton to={paths.print(1)} icon={<Printer aria-hidden="true" />}>
            Print the whole story
          </LinkButton>
          <ContinueReading storyId={project._id} path={paths.part(1)} />
        </div>
      )}
      {(contents.length > 1 || totalPages > 1) && <Contents contents={contents} paths={paths} />}
    </header>
  )
}

function Contents({ contents, paths }: { contents: Story['contents']; paths: StoryPaths }) {
  return (
    <details className="mt-4 text-sm" data-print="hidden">
      <Summary>Chapters</Summary>
      <nav aria-label="Chapters">
        <ol className="border-s border-line ps-4">
          {contents.map(({ milestone, title, page }) => (
            <li key={milestone}>
              <Link
                to={`${paths.part(page)}#chapter-${milestone}`}
                dir="auto"
                className="block truncate rounded-sm py-1.5 hover:text-accent pointer-coarse:py-2.5"
              >
                {title}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
    </details>
  )
}

/** Links to the parts before and after this one. */
export function StoryParts({ story: { pagination }, paths }: StoryProps) {
  const { currentPage, totalPages, hasPrev, hasNext } = pagination
  if (totalPages === 0) return null
  return (
    <nav aria-label="Parts of the story" className="mt-16" data-print="hidden">
      {hasNext ? (
        <LinkButton to={paths.part(currentPage + 1)} rel="next" variant="primary" size="lg">
          Next part
          <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
        </LinkButton>
      ) : (
        <p className="border-t-2 border-dashed border-edge pt-6 text-muted">This is the last entry so far.</p>
      )}
      {hasPrev && (
        <Link
          to={paths.part(currentPage - 1)}
          rel="prev"
          className="mt-3 flex w-fit items-center gap-1.5 rounded-sm py-2.5 text-sm text-muted hover:text-ink hover:underline"
        >
          <ArrowLeft className="size-4 shrink-0 rtl:-scale-x-100" aria-hidden="true" />
          Previous part
        </Link>
      )}
    </nav>
  )
}
