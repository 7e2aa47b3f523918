import { clsx } from 'clsx'
import { ArrowUp, ChevronLeft, ChevronRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { pageWindow } from '#web/ui/controls/pagination.tsx'
import { AuthorPicture } from '#web/ui/layout/avatar.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import { SHOWN_ANCHOR, worldEntryPath, worldPath, worldTagPath } from '#web/world/paths.ts'
import type { EntryLine, ShownMilestone as Shown, TaggedEntries as Tagged } from './project-page.ts'
import { MILESTONES_ID } from './public-milestones.tsx'

/**
 * The selected milestone and its entries. On a phone the anchor is at its start; beside the timeline it is at the start of the
 * page, so that selecting another milestone does not scroll.
 */
export function ShownMilestone({ projectId, milestone }: { projectId: string; milestone: Shown }) {
  const { title, description, entries, showsAuthors } = milestone
  return (
    <section aria-labelledby="shown-title" className="min-w-0 max-w-reading max-lg:relative">
      <span id={SHOWN_ANCHOR} className="absolute top-0" />
      <a
        href={`#${MILESTONES_ID}`}
        data-print="hidden"
        className="mb-4 inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline lg:hidden pointer-coarse:mb-2.5 pointer-coarse:py-2.5"
      >
        <ArrowUp className="size-4" aria-hidden="true" />
        All milestones
      </a>
      <h2 id="shown-title" className="font-reading text-2xl font-medium">
        {title}
      </h2>
      <p className="mt-1.5 whitespace-pre-line text-muted">{description}</p>
      {entries.length === 0 ? (
        <p className="mt-8 border-t border-line pt-8 text-muted">Nothing has been written here yet.</p>
      ) : (
        <EntryList projectId={projectId} entries={entries} showsAuthors={showsAuthors} />
      )}
      <PageLinks
        page={milestone.page}
        pageCount={milestone.pageCount}
        pathTo={(page) =>
          worldPath(projectId, { ...(!milestone.isFirst && { milestone: milestone._id }), page })
        }
      />
    </section>
  )
}

/** The entries of all milestones with a tag: before the timeline on a phone, beside it on wide screens. */
export function TaggedEntries({ projectId, tagged }: { projectId: string; tagged: Tagged }) {
  const { tag, entries, showsAuthors, page, pageCount } = tagged
  return (
    <section
      aria-labelledby="shown-title"
      className="min-w-0 max-w-reading max-lg:relative lg:col-start-2 lg:row-start-1"
    >
      <span id={SHOWN_ANCHOR} className="absolute top-0" />
      <h2 id="shown-title" className="font-reading text-2xl font-medium">
        Entries tagged <bdi>{tag}</bdi>
      </h2>
      <p className="mt-1.5">
        <Link
          to={`${worldPath(projectId)}#${SHOWN_ANCHOR}`}
          data-print="hidden"
          className="inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline"
        >
          <X className="size-4" aria-hidden="true" />
          Show all milestones
        </Link>
      </p>
      <EntryList projectId={projectId} entries={entries} showsAuthors={showsAuthors} />
      <PageLinks page={page} pageCount={pageCount} pathTo={(to) => worldPath(projectId, { tag, page: to })} />
    </section>
  )
}

const TAGS_SHOWN = 5

type EntryListProps = { projectId: string; entries: EntryLine[]; showsAuthors: boolean }

/** The entries of a milestone, with excerpts. */
function EntryList({ projectId, entries, showsAuthors }: EntryListProps) {
  return (
    <ul className="mt-6">
      {entries.map(({ _id, title, happenedOn, happenedZone, author, excerpt, tags, image }) => (
        <li key={_id} className="break-inside-avoid border-t border-line">
          <article className="group relative flow-root py-6">
            {image && (
              <Cover
                image={image}
                className="float-end ms-5 mt-1 mb-2 h-20 w-24 rounded-lg sm:h-28 sm:w-40"
              />
            )}
            <p className="text-sm text-muted">
              <Day on={happenedOn} zone={happenedZone} />
              {showsAuthors && author && (
                <>
                  {' '}
                  by <AuthorPicture url={author.pictureURL} />
                  <bdi>{author.name}</bdi>
                </>
              )}
            </p>
            <h3 className="mt-1 font-reading text-xl font-medium">
              <Link
                to={worldEntryPath(projectId, _id)}
                className="rounded-sm group-hover:text-accent after:absolute after:inset-0"
              >
                {title}
              </Link>
            </h3>
            <p className="mt-1.5 mb-3 text-muted max-sm:line-clamp-3">{excerpt}</p>
            <EntryTags tags={tags} shown={TAGS_SHOWN} pathOf={(tag) => worldTagPath(projectId, tag)} />
          </article>
        </li>
      ))}
    </ul>
  )
}

const stepClass =
  'grid h-10 min-w-10 place-items-center rounded-md px-2 text-sm font-semibold tabular-nums pointer-coarse:h-11 pointer-coarse:min-w-11'

type PageLinksProps = { page: number; pageCount: number; pathTo: (page: number) => string }

/** Links to the pages of a long list. */
function PageLinks({ page, pageCount, pathTo }: PageLinksProps) {
  if (pageCount === 1) return null
  const to = (number: number) => `${pathTo(number)}#${SHOWN_ANCHOR}`
  return (
    <nav
      aria-label="Pages of entries"
      className="flex justify-center gap-1 border-t border-line pt-5"
      data-print="hidden"
    >
      <Step to={page > 1 && to(page - 1)} label="Previous page">
        <ChevronLeft className="size-4.5" aria-hidden="true" />
      </Step>
      {pageWindow(page, pageCount).map((number) => (
        <Link
          key={number}
          to={to(number)}
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className={clsx(
            stepClass,
            number === page ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
          )}
        >
          {number}
        </Link>
      ))}
      <Step to={page < pageCount && to(page + 1)} label="Next page">
        <ChevronRight className="size-4.5" aria-hidden="true" />
      </Step>
    </nav>
  )
}

/** A link to the previous or next page; an empty space if there is none. */
function Step({ to, label, children }: { to: string | false; label: string; children: ReactNode }) {
  if (to === false) return <span className={stepClass} />
  return (
    <Link to={to} aria-label={label} className={clsx(stepClass, 'text-muted hover:bg-hover hover:text-ink')}>
      {children}
    </Link>
  )
}
