import { Rss } from 'lucide-react'
import { Fragment } from 'react'
import { feedNames } from './feed-links.tsx'
import { FEED_FORMATS, worldFeedPath } from './paths.ts'

/** How to hear of new entries: the addresses for a feed reader. */
export function FollowProject({ projectId }: { projectId: string }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2 text-sm text-muted">
      <Rss className="size-4 shrink-0" aria-hidden="true" />
      <span>Follow in a feed reader:</span>
      {FEED_FORMATS.map((format, index) => (
        <Fragment key={format}>
          {index > 0 && <span aria-hidden="true">·</span>}
          <a
            href={worldFeedPath(projectId, format)}
            type={feedNames[format].type}
            className="rounded-sm py-1 font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent"
          >
            {feedNames[format].name}
          </a>
        </Fragment>
      ))}
    </p>
  )
}
