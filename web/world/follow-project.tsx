import { Rss } from 'lucide-react'
import { feedNames } from './feed-links.tsx'
import { FEED_FORMATS, worldFeedPath } from './paths.ts'

/** How to hear of new entries: the addresses for a feed reader. */
export function FollowProject({ projectId }: { projectId: string }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span className="inline-flex items-center gap-2">
        <Rss className="size-4 shrink-0" aria-hidden="true" />
        Follow in a feed reader
      </span>
      {FEED_FORMATS.map((format) => (
        <a
          key={format}
          href={worldFeedPath(projectId, format)}
          type={feedNames[format].type}
          className="rounded-sm py-1 font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:py-2.5"
        >
          {feedNames[format].name}
        </a>
      ))}
    </p>
  )
}
