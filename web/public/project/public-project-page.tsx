import { BookOpen, Globe, Link as LinkIcon, ScrollText, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorldPage } from '#contract/world.ts'
import { LineOfTime } from '#web/milestones/line-of-time/line-of-time.tsx'
import { placeOn, scaleOf } from '#web/milestones/line-of-time/scale.ts'
import { AboutProject } from '#web/public/about-project.tsx'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import {
  profilePath,
  publicEntryPath,
  publicPath,
  publicSearchPath,
  publicStoryPath,
} from '#web/public/paths.ts'
import { SearchForm } from '#web/public/search/search-form.tsx'
import { projectPicture } from '#web/public/share-picture.ts'
import { ContinueReading } from '#web/public/story/continue-reading.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { ContourCover } from '#web/ui/layout/contour-cover.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Cover, PHONE_SIZE } from '#web/ui/layout/cover.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { ProjectHead } from './project-head.tsx'
import { type Order, type ProjectPage, projectPage } from './project-page.ts'
import { ShownMilestone, TaggedEntries } from './shown-milestone.tsx'
import { Trail } from './trail.tsx'

type PublicProjectPageProps = {
  found: WorldPage
  order: Order
  origin: string
  /** Whether the server sends email. */
  sendsMail: boolean
  /** Whether the page becomes a file of a site, which has a search of its own, also of a private project. */
  isSite?: boolean | undefined
}

const COVER_SIZES = `(min-width: 72rem) 70rem, (min-width: 40rem) calc(100vw - 2rem), ${PHONE_SIZE}`

/** The page of a public project. */
export function PublicProjectPage({
  found,
  order,
  origin,
  sendsMail,
  isSite = false,
}: PublicProjectPageProps) {
  const data = projectPage(found, order)
  const { project, milestones, timeline, shown, tagged, following, days } = data
  const milestone = shown && !shown.isFirst ? shown._id : undefined
  // In the other order it shows the same.
  const page = order === 'oldest' ? (shown?.page ?? 1) : 1
  const own = publicPath(project._id, { ...(milestone && { milestone }), page })
  const canonical = new URL(own, origin).href
  const line = scaleOf(milestones, shown?._id, dayOfInstant)
  return (
    <Page className="relative">
      <ProjectHead page={{ ...data, canonical, picture: projectPicture(origin, data) }} />
      {!tagged &&
        (project.image ? (
          <Cover
            image={project.image}
            className="mb-6 h-40 w-full rounded-xl sm:mb-8 sm:h-50"
            sizes={COVER_SIZES}
            isFirst
          />
        ) : (
          <ContourCover
            id={project._id}
            tint={project.tint}
            className="mb-6 h-24 w-full rounded-xl sm:mb-8 sm:h-32"
          />
        ))}
      {tagged ? (
        <SmallHeader project={project} />
      ) : (
        <PublicHeader
          project={project}
          latest={data.latest}
          first={data.first}
          entryCount={data.entryCount}
          url={new URL(publicPath(project._id), origin).href}
          byEmail={sendsMail && project.emailsFollowers}
          isSearchable={data.entryCount > 0 && (isSite || !project.isShared)}
        />
      )}
      {!tagged && line && <LineOfTime scale={line} ticks={days.map((day) => placeOn(line, day))} />}
      <div className="flex flex-col gap-x-14 gap-y-8 lg:grid lg:grid-cols-[19rem_minmax(0,1fr)]">
        {tagged && <TaggedEntries projectId={project._id} tagged={tagged} />}
        <Trail projectId={project._id} milestones={milestones} timeline={timeline} shownId={shown?._id} />
        {shown && <ShownMilestone projectId={project._id} milestone={shown} following={following} />}
      </div>
      {!project.isShared && <AboutProject project={project} />}
    </Page>
  )
}

/** The day of an instant for readers everywhere: pages are the same for all of them. */
const dayOfInstant = (iso: string) => iso.slice(0, 'YYYY-MM-DD'.length)

/** The project's title and owner, for pages whose main content is the entries below. */
function SmallHeader({ project }: Pick<ProjectPage, 'project'>) {
  const { _id, title } = project
  return (
    <header className="mb-8 border-b border-line pb-6">
      <VisibilityBadge project={project} />
      <h1 className="mt-3 font-reading text-3xl font-medium tracking-tight">
        <Link to={publicPath(_id)} className="rounded-sm hover:text-accent">
          {title}
        </Link>
      </h1>
      <p className="mt-1.5 text-sm text-muted">
        Created by <Owner project={project} />
      </p>
    </header>
  )
}

/** A copy of the page somewhere else does not say who sees it here. */
const VisibilityBadge = ({ project: { isListed, isShared } }: Pick<ProjectPage, 'project'>) => (
  <p className="flex flex-wrap gap-2" data-online>
    {isListed ? (
      <Badge tone="success" icon={<Globe aria-hidden="true" />}>
        Public Project
      </Badge>
    ) : (
      <Badge icon={<LinkIcon aria-hidden="true" />}>
        {isShared ? 'Shared with you' : 'Unlisted Project'}
      </Badge>
    )}
  </p>
)

type PublicHeaderProps = Pick<ProjectPage, 'project' | 'latest' | 'first' | 'entryCount'> & {
  url: string
  /** Whether readers can follow the project by email. */
  byEmail: boolean
  isSearchable: boolean
}

/** The project's title, description and facts, and where to read. */
function PublicHeader({ project, latest, first, entryCount, url, byEmail, isSearchable }: PublicHeaderProps) {
  const { _id, title, description, isShared } = project
  return (
    <header className="mb-8 lg:mb-12">
      <VisibilityBadge project={project} />
      <h1 lang="" className="mt-4 max-w-reading font-reading text-4xl font-medium tracking-tight">
        {title}
      </h1>
      <p lang="" className="mt-3 max-w-reading text-lg text-balance whitespace-pre-line text-muted">
        {description}
      </p>
      <Facts project={project} latest={latest} entryCount={entryCount} />
      <div className="mt-6 flex flex-wrap items-center gap-2" data-print="hidden">
        {first && (
          <LinkButton
            to={publicEntryPath(_id, first._id)}
            variant="primary"
            icon={<BookOpen aria-hidden="true" />}
          >
            Start reading
          </LinkButton>
        )}
        {latest && latest._id !== first?._id && (
          <LinkButton to={publicEntryPath(_id, latest._id)}>Latest</LinkButton>
        )}
        {first && <ContinueReading storyId={_id} path={publicStoryPath(_id)} />}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-2" data-print="hidden">
        <div className="-ms-4 flex flex-wrap gap-x-2">
          {first && (
            <LinkButton to={publicStoryPath(_id)} variant="quiet" icon={<ScrollText aria-hidden="true" />}>
              Read the story
            </LinkButton>
          )}
          {!isShared && (
            <div className="contents" data-online>
              <CopyButton text={url} label="Copy link" size="md" variant="quiet" />
              <FollowButton projectId={_id} title={title} origin={url} byEmail={byEmail} />
            </div>
          )}
          {isSearchable && (
            <LinkButton
              to={publicSearchPath(_id)}
              variant="quiet"
              icon={<Search aria-hidden="true" />}
              className="sm:hidden"
              data-online="search"
            >
              Search
            </LinkButton>
          )}
        </div>
        {isSearchable && <SearchForm projectId={_id} className="w-80 max-sm:hidden sm:ms-auto" />}
      </div>
    </header>
  )
}

/** The name of the owner, which leads to their page if that is on. */
function Owner({ project: { ownerName, ownerProfile } }: Pick<ProjectPage, 'project'>) {
  const name = <bdi className="font-semibold text-ink">{ownerName}</bdi>
  if (ownerProfile === undefined) return name
  return (
    <Link
      to={profilePath(ownerProfile)}
      className="-my-1 inline-block rounded-sm py-1 underline decoration-edge underline-offset-4 hover:text-accent"
    >
      {name}
    </Link>
  )
}

type FactsProps = Pick<ProjectPage, 'project' | 'latest' | 'entryCount'>

/** One line of facts. The trail tells the progress. */
function Facts({ project, latest, entryCount }: FactsProps) {
  const { createdAt, finished } = project
  const facts: ReactNode[] = [
    <>
      begun <Time iso={createdAt} />
    </>,
    finished ? (
      <>
        finished <Time iso={finished.at} />
      </>
    ) : (
      latest && (
        <>
          latest <Day on={latest.happenedOn} zone={latest.happenedZone} />
        </>
      )
    ),
    finished && counted(finished.days, 'day'),
    entryCount > 0 && counted(entryCount, 'entry', 'entries'),
    finished && finished.pictures > 0 && counted(finished.pictures, 'picture'),
  ].filter(Boolean)
  return (
    <p className="facts mt-5 text-sm text-muted">
      <span>
        Created by <Owner project={project} />
      </span>
      {facts.map((fact, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rendered once
        <span key={index}>{fact}</span>
      ))}
    </p>
  )
}
