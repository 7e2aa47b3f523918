import { Globe, Link as LinkIcon } from 'lucide-react'
import type { WorldPage } from '#contract/world.ts'
import { completionText, FinishedSummary } from '#web/projects/finished-summary.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { AboutProject } from '#web/world/about-project.tsx'
import { FollowButton } from '#web/world/follow/follow-button.tsx'
import { SHOWN_ANCHOR, worldEntryPath, worldPath } from '#web/world/paths.ts'
import { projectPicture } from '#web/world/share-picture.ts'
import { ProjectHead } from './project-head.tsx'
import { type ProjectPage, projectPage } from './project-page.ts'
import { PublicMilestones, TimelineDrawing } from './public-milestones.tsx'
import { ShownMilestone, TaggedEntries } from './shown-milestone.tsx'

/** The page of a public project. */
export function WorldProjectPage({ found, origin }: { found: WorldPage; origin: string }) {
  const data = projectPage(found)
  const { project, milestones, timeline, shown, tagged } = data
  const milestone = shown && !shown.isFirst ? shown._id : undefined
  const own = worldPath(project._id, { ...(milestone && { milestone }), page: shown?.page ?? 1 })
  const canonical = new URL(own, origin).href
  return (
    <Page className="relative">
      <ProjectHead page={{ ...data, canonical, picture: projectPicture(origin, data) }} />
      {!tagged && project.image && (
        <Cover
          image={project.image}
          widest={project.imageURL}
          className="mb-8 aspect-video w-full rounded-xl sm:mb-10 sm:aspect-[4/1]"
          sizes="(min-width: 72rem) 70rem, 100vw"
          isFirst
        />
      )}
      {tagged ? (
        <SmallHeader project={project} />
      ) : (
        <WorldHeader
          project={project}
          timeline={timeline}
          latest={data.latest}
          url={new URL(worldPath(project._id), origin).href}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-12 lg:grid-cols-[21rem_minmax(0,1fr)]">
        {tagged && <TaggedEntries projectId={project._id} tagged={tagged} />}
        <PublicMilestones
          projectId={project._id}
          milestones={milestones}
          timeline={timeline}
          shownId={shown?._id}
        />
        {shown && <ShownMilestone projectId={project._id} milestone={shown} />}
      </div>
      {!project.isShared && <AboutProject projectId={project._id} />}
    </Page>
  )
}

/** The project's title and owner, for pages whose main content is the entries below. */
function SmallHeader({ project }: Pick<ProjectPage, 'project'>) {
  const { _id, title, ownerName } = project
  return (
    <header className="mb-8 border-b border-line pb-6">
      <VisibilityBadge project={project} />
      <h1 className="mt-3 font-reading text-3xl font-medium tracking-tight">
        <Link to={worldPath(_id)} className="rounded-sm hover:text-accent">
          {title}
        </Link>
      </h1>
      <p className="mt-1.5 text-sm text-muted">
        Created by <bdi className="font-semibold text-ink">{ownerName}</bdi>
      </p>
    </header>
  )
}

const VisibilityBadge = ({ project: { isListed, isShared } }: Pick<ProjectPage, 'project'>) => (
  <p className="flex flex-wrap gap-2">
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

type WorldHeaderProps = Pick<ProjectPage, 'project' | 'timeline' | 'latest'> & { url: string }

/** The project's title, description, owner, progress, latest entries and share button. */
function WorldHeader({ project, timeline, latest, url }: WorldHeaderProps) {
  const { title, description, ownerName, createdAt, progress, isShared, finished } = project
  const { total, completed } = timeline
  // The list below has links to all milestones, unless there are too many.
  const hasLinks = timeline.earlier !== null || timeline.later !== null
  const reached = completionText(completed, total)
  const stops = timeline.stops.map(({ milestone, title, completed }, index) => ({
    completed,
    ...(hasLinks && {
      link: { to: `${worldPath(project._id, index === 0 ? {} : { milestone })}#${SHOWN_ANCHOR}`, title },
    }),
  }))
  return (
    <header className="mb-12 grid grid-cols-[minmax(0,1fr)] items-center gap-x-14 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
      <div>
        <VisibilityBadge project={project} />
        <h1 lang="" className="mt-4 font-reading text-4xl font-medium tracking-tight">
          {title}
        </h1>
        <p lang="" className="mt-3 text-lg whitespace-pre-line text-muted">
          {description}
        </p>
        <p className="mt-5 text-sm text-muted">
          Created by <bdi className="font-semibold text-ink">{ownerName}</bdi>
          <span className="mx-2" aria-hidden="true">
            ·
          </span>
          <span className="whitespace-nowrap">
            begun <Time iso={createdAt} />
          </span>
        </p>
        {latest && (
          <p className="mt-1.5 text-sm text-muted">
            Latest:{' '}
            <Link
              to={worldEntryPath(project._id, latest._id)}
              className="rounded-sm font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent"
            >
              <bdi>{latest.title}</bdi>
            </Link>
            ,{' '}
            <span className="whitespace-nowrap">
              <Day on={latest.happenedOn} zone={latest.happenedZone} />
            </span>
          </p>
        )}
        {!isShared && (
          <div className="mt-5 flex flex-wrap gap-2" data-print="hidden">
            <CopyButton text={url} label="Copy link" />
            <FollowButton projectId={project._id} title={title} origin={url} />
          </div>
        )}
        {finished ? (
          <FinishedSummary
            heading="h2"
            title="Finished"
            finished={finished}
            milestoneCount={total}
            className="mt-6 max-w-md rounded-lg border border-success/35 bg-success-soft/60 px-4 py-3.5"
          />
        ) : (
          total > 0 && (
            <div className="mt-5 max-w-md">
              <ProgressBar value={progress} valueText={`${progress}%, ${reached}`} />
              <p className="mt-1 text-sm text-muted">{reached}</p>
            </div>
          )
        )}
      </div>
      {total > 0 && <TimelineDrawing stops={stops} className="w-full max-lg:hidden" />}
    </header>
  )
}
