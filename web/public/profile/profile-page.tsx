import type { ProfilePage as Found, ShownProfile } from '#contract/profiles.ts'
import type { World } from '#contract/world.ts'
import { PublicHead } from '#web/head/public-head.tsx'
import { cardCoverClass, ProjectCover } from '#web/projects/project-cover.tsx'
import { FeedSubscription, FeedsAt } from '#web/public/feed/feed-links.tsx'
import { type FeedFormat, profileFeedPath, profilePath, publicPath } from '#web/public/paths.ts'
import { SharedHead } from '#web/public/shared-head.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Page } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'

/** The public page of a person: who they are, and their public projects. */
export function ProfilePage({ found, origin }: { found: Found; origin: string }) {
  const { profile, projects, pagination } = found
  const { currentPage: page, totalItems, hasPrev, hasNext } = pagination
  const { name, displayName } = profile
  const canonical = new URL(profilePath(name, page), origin).href
  const feedPath = (format: FeedFormat) => profileFeedPath(name, format)
  return (
    <Page>
      <ProfileHead profile={profile} canonical={canonical} isListed={totalItems > 0} />
      <FeedsAt title={displayName} canonical={canonical} pathOf={feedPath} />
      <ProfileHeader profile={profile} count={totalItems} url={new URL(profilePath(name), origin).href} />
      {totalItems === 0 ? (
        <EmptyState title="No public projects yet">
          What {displayName} publishes will be listed here.
        </EmptyState>
      ) : (
        <ProjectCards projects={projects} />
      )}
      {(hasPrev || hasNext) && (
        <nav aria-label="Pages of projects" className="mt-8 flex justify-center gap-2.5" data-print="hidden">
          {hasPrev && <LinkButton to={profilePath(name, page - 1)}>Previous</LinkButton>}
          {hasNext && <LinkButton to={profilePath(name, page + 1)}>Next</LinkButton>}
        </nav>
      )}
      {totalItems > 0 && (
        <div className="mt-12 border-t border-line pt-3" data-print="hidden">
          <FeedSubscription pathOf={feedPath} />
        </div>
      )}
    </Page>
  )
}

type ProfileHeadProps = { profile: ShownProfile; canonical: string; isListed: boolean }

function ProfileHead({ profile, canonical, isListed }: ProfileHeadProps) {
  const { name, displayName, about } = profile
  const url = new URL(profilePath(name), canonical).href
  return (
    <PublicHead
      title={displayName}
      description={about || `The public projects of ${displayName}`}
      canonical={canonical}
      isListed={isListed}
      about={[
        {
          '@type': 'ProfilePage',
          url,
          mainEntity: {
            '@type': 'Person',
            '@id': url,
            name: displayName,
            alternateName: name,
            ...(about && { description: about }),
            ...(profile.photoURL && { image: new URL(profile.photoURL, canonical).href }),
          },
        },
      ]}
    />
  )
}

type ProfileHeaderProps = { profile: ShownProfile; count: number; url: string }

function ProfileHeader({ profile: { displayName, photoURL, about }, count, url }: ProfileHeaderProps) {
  return (
    <header className="mb-10 flex flex-wrap items-center gap-x-6 gap-y-4 border-b border-line pb-8">
      <Avatar name={displayName} pictureURL={photoURL} className="size-20 text-3xl sm:size-24" />
      <div className="min-w-0 flex-1 basis-72">
        <h1 lang="" dir="auto" className="font-reading text-4xl font-medium tracking-tight wrap-anywhere">
          {displayName}
        </h1>
        {about !== '' && (
          <p lang="" dir="auto" className="mt-2 max-w-reading text-lg text-muted wrap-anywhere">
            {about}
          </p>
        )}
        <div className="mt-2 flex flex-wrap items-center gap-x-2">
          {count > 0 && <p className="me-2 text-sm text-muted">{counted(count, 'public project')}</p>}
          <CopyButton text={url} label="Copy link" variant="quiet" className="-ms-3" />
        </div>
      </div>
    </header>
  )
}

/** The first page of a site of all projects of a person. */
export function ProjectsPage({ projects }: Pick<Found, 'projects'>) {
  return (
    <Page>
      <SharedHead title="Projects" />
      <h1 className="mb-8 font-reading text-4xl font-medium tracking-tight">Projects</h1>
      <ProjectCards projects={projects} />
    </Page>
  )
}

const ProjectCards = ({ projects }: Pick<Found, 'projects'>) => (
  <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">
    {projects.map((project) => (
      <li key={project._id} className="min-w-0">
        <ProjectCard project={project} />
      </li>
    ))}
  </ul>
)

/** A project in the list. The whole card links to it. */
function ProjectCard({ project }: { project: World['project'] }) {
  const { _id, title, description, image, tint, progress, lastEntryAt } = project
  return (
    <article className="group relative flex h-full flex-col rounded-lg border border-line bg-raised p-5 shadow-sm transition-[border-color,box-shadow] focus-within:border-edge hover:border-edge hover:shadow-md">
      <ProjectCover projectId={_id} image={image} tint={tint} className={cardCoverClass} />
      <h2 lang="" dir="auto" className="line-clamp-4 font-reading text-xl font-medium wrap-anywhere">
        <Link
          to={publicPath(_id)}
          className="rounded-sm group-hover:text-accent after:absolute after:inset-0 after:rounded-lg"
        >
          {title}
        </Link>
      </h2>
      <p lang="" dir="auto" className="mt-1.5 mb-5 line-clamp-3 text-muted wrap-anywhere">
        {description}
      </p>
      <p className="facts mt-auto text-sm text-muted">
        <span>{progress}% complete</span>
        {lastEntryAt !== null && (
          <span>
            latest entry <Time iso={lastEntryAt} />
          </span>
        )}
      </p>
    </article>
  )
}
