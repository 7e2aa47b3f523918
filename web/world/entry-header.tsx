import { ArrowLeft, Globe } from 'lucide-react'
import { Link } from 'react-router'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Time } from '#web/ui/time.tsx'
import type { EntryPage } from './entry-page.server.ts'
import { SHOWN_ANCHOR, worldPath } from './paths.ts'

/** Of which story this is a part, who tells it, when, and how long it takes to read. */
export function EntryHeader({
  project,
  milestone,
  entry,
}: Pick<EntryPage, 'project' | 'milestone' | 'entry'>) {
  const toMilestone = `${worldPath(project._id, { milestone: milestone._id })}#${SHOWN_ANCHOR}`
  return (
    <header className="mb-10 border-b border-line pb-7">
      <Link
        to={worldPath(project._id)}
        data-print="hidden"
        className="mb-7 flex w-fit max-w-full items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink hover:underline"
      >
        <ArrowLeft className="size-4 shrink-0" aria-hidden="true" />
        <bdi className="truncate">{project.title}</bdi>
      </Link>
      <Badge tone="success" icon={<Globe aria-hidden="true" />}>
        Public Entry
      </Badge>
      <h1 className="mt-4 font-reading text-4xl font-medium tracking-tight">{entry.title}</h1>
      <p className="mt-5 flex flex-wrap gap-x-2 text-sm text-muted">
        <span>
          By <bdi className="font-semibold text-ink">{project.ownerName}</bdi>
        </span>
        <Dot />
        <Time iso={entry.createdAt} />
        <Dot />
        <span>{entry.minutes} min read</span>
      </p>
      <p className="mt-1.5 text-sm text-muted">
        Milestone{' '}
        <Link
          to={toMilestone}
          className="rounded-sm font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent"
        >
          <bdi>{milestone.title}</bdi>
        </Link>
      </p>
      {entry.tags.length > 0 && (
        <div className="mt-4">
          <EntryTags tags={entry.tags} />
        </div>
      )}
    </header>
  )
}

const Dot = () => <span aria-hidden="true">·</span>
