import { Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { FEED_FORMATS, type FeedFormat, publicFeedPath } from '#web/public/paths.ts'

/** The name and media type of each feed format. */
export const feedNames = {
  atom: { name: 'Atom', type: 'application/atom+xml' },
  rss: { name: 'RSS', type: 'application/rss+xml' },
  json: { name: 'JSON Feed', type: 'application/feed+json' },
} as const

type FeedLinksProps = { projectId: string; title: string; canonical: string }

/** The link elements by which feed readers discover the feeds of a project. */
export const FeedLinks = ({ projectId, title, canonical }: FeedLinksProps) => (
  <FeedsAt title={title} canonical={canonical} pathOf={(format) => publicFeedPath(projectId, format)} />
)

type PathOf = (format: FeedFormat) => string

/** The link elements of the feeds at these paths. */
export function FeedsAt({ title, canonical, pathOf }: { title: string; canonical: string; pathOf: PathOf }) {
  return FEED_FORMATS.map((format) => (
    <link
      key={format}
      rel="alternate"
      type={feedNames[format].type}
      title={`${title} (${feedNames[format].name})`}
      href={new URL(pathOf(format), canonical).href}
    />
  ))
}

export const feedLinkClass =
  'min-w-6 rounded-sm py-1 text-center font-semibold text-ink underline decoration-edge underline-offset-4 hover:text-accent pointer-coarse:min-w-10 pointer-coarse:py-2.5'

/** Links to the feeds for readers; `children`: what else is on their line. */
export function FeedSubscription({ pathOf, children }: { pathOf: PathOf; children?: ReactNode }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span className="inline-flex items-center gap-2">
        <Rss className="size-4 shrink-0" aria-hidden="true" />
        Follow in a feed reader
      </span>
      {FEED_FORMATS.map((format) => (
        <a key={format} href={pathOf(format)} type={feedNames[format].type} className={feedLinkClass}>
          {feedNames[format].name}
        </a>
      ))}
      {children}
    </p>
  )
}
