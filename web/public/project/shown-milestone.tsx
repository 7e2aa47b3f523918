import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { MilestoneDivider } from '#web/entries/reading/milestone-divider.tsx'
import { publicEntryPath, publicPath, publicTagPath, SHOWN_ANCHOR } from '#web/public/paths.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { pageWindow } from '#web/ui/controls/pagination.tsx'
import { AuthorPicture } from '#web/ui/layout/avatar.tsx'
import { Cover, PHONE_SIZE } from '#web/ui/layout/cover.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import { openingOf } from './opening.ts'
import type {
  EntryLine,
  FollowingMilestone,
  ShownMilestone as Shown,
  TaggedEntries as Tagged,
} from './project-page.ts'

type ShownMilestoneProps = { projectId: string; milestone: Shown; following: FollowingMilestone | null }

/**
 * The selected milestone and its entries, in the order of the story unless the newest are asked for, and where it goes on. On a phone the
 * anchor is at its start; beside the trail it is at the start of the page, so that selecting another milestone does not scroll.
 */
export function ShownMilestone({ projectId, milestone, following }: ShownMilestoneProps) {
  const { _id, title, description, entries, showsAuthors, isFirst, order, page, pageCount } = milestone
  const place = isFirst ? {} : { milestone: _id }
  return (
    <section aria-labelledby="shown-title" className="min-w-0 max-w-reading max-lg:relative">
      <span id={SHOWN_ANCHOR} className="absolute top-0 max-lg:scroll-mt-18" />
      <h2 id="shown-title" className="font-reading text-2xl font-medium">
        {title}
      </h2>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="mt-1.5 min-w-0 flex-1 basis-64 text-balance whitespace-pre-line text-muted">
          {description}
        </p>
        {(entries.length > 1 || pageCount > 1) && (
          <OrderSwitch order={order} pathOf={(order) => publicPath(projectId, { ...place, order })} />
        )}
      </div>
      {entries.length === 0 ? (
        <p className="mt-8 border-t border-line pt-8 text-muted">Nothing has been written here yet.</p>
      ) : (
        <EntryList projectId={projectId} entries={entries} showsAuthors={showsAuthors} />
      )}
      <PageLinks
        page={page}
        pageCount={pageCount}
        pathTo={(page) => publicPath(projectId, { ...place, order, page })}
      />
      {following && order === 'oldest' && page === pageCount && (
        <Following projectId={projectId} following={following} showsAuthors={showsAuthors} />
      )}
    </section>
  )
}

type OrderSwitchProps = { order: Shown['order']; pathOf: (order: Shown['order']) => string }

/** Two links, of which one is the order that is shown. */
function OrderSwitch({ order, pathOf }: OrderSwitchProps) {
  return (
    <nav aria-label="Order of entries" className="flex gap-1 text-sm" data-print="hidden" data-online>
      {(['oldest', 'newest'] as const).map((one) => (
        <Link
          key={one}
          to={`${pathOf(one)}#${SHOWN_ANCHOR}`}
          rel="nofollow"
          aria-current={one === order || undefined}
          className={clsx(
            'grid min-h-10 items-center rounded-md px-2.5 font-semibold pointer-coarse:min-h-11',
            one === order ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
          )}
        >
          {one === 'oldest' ? 'Oldest first' : 'Newest first'}
        </Link>
      ))}
    </nav>
  )
}

type FollowingProps = { projectId: string; following: FollowingMilestone; showsAuthors: boolean }

/** Where the story goes on: the next milestone, and how it begins. */
function Following({ projectId, following: { _id, title, first }, showsAuthors }: FollowingProps) {
  return (
    <div data-print="hidden">
      <MilestoneDivider
        to={`${publicPath(projectId, { milestone: _id })}#${SHOWN_ANCHOR}`}
        label="Next milestone"
        title={title}
      />
      <EntryList projectId={projectId} entries={[first]} showsAuthors={showsAuthors} />
    </div>
  )
}

/** The entries of all milestones with a tag: before the trail on a phone, beside it on wide screens. */
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
          to={`${publicPath(projectId)}#${SHOWN_ANCHOR}`}
          data-print="hidden"
          className="inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline"
        >
          <X className="size-4" aria-hidden="true" />
          Show all milestones
        </Link>
      </p>
      <EntryList projectId={projectId} entries={entries} showsAuthors={showsAuthors} />
      <PageLinks
        page={page}
        pageCount={pageCount}
        pathTo={(to) => publicPath(projectId, { tag, page: to })}
      />
    </section>
  )
}

const TAGS_SHOWN = 5

type EntryListProps = { projectId: string; entries: EntryLine[]; showsAuthors: boolean }

/** Entries as pictures with a sentence. */
function EntryList({ projectId, entries, showsAuthors }: EntryListProps) {
  return (
    <ul className="mt-4">
      {entries.map(({ _id, title, happenedOn, happenedZone, author, excerpt, tags, image }) => (
        <li key={_id} className="break-inside-avoid border-t border-line">
          <article className="group relative py-6 sm:flex sm:gap-6">
            {image && (
              <Cover
                image={image}
                sizes={`(min-width: 40rem) 13rem, ${PHONE_SIZE}`}
                className="mb-4 aspect-video w-full shrink-0 self-start rounded-lg sm:mb-0 sm:aspect-4/3 sm:w-52"
              />
            )}
            <div className="min-w-0">
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
                  to={publicEntryPath(projectId, _id)}
                  className="rounded-sm group-hover:text-accent after:absolute after:inset-0"
                >
                  {title}
                </Link>
              </h3>
              <p className="mt-1.5 mb-3 text-muted">{openingOf(excerpt)}</p>
              <EntryTags tags={tags} shown={TAGS_SHOWN} pathOf={(tag) => publicTagPath(projectId, tag)} />
            </div>
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
      className="flex flex-wrap justify-center gap-1 border-t border-line pt-5 max-[22rem]:gap-0"
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
