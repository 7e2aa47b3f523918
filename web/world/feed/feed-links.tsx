import { FEED_FORMATS, worldFeedPath } from '#web/world/paths.ts'

/** What each format of a feed is called, and what it is to a machine. */
export const feedNames = {
  atom: { name: 'Atom', type: 'application/atom+xml' },
  rss: { name: 'RSS', type: 'application/rss+xml' },
  json: { name: 'JSON Feed', type: 'application/feed+json' },
} as const

type FeedLinksProps = { projectId: string; title: string; canonical: string }

/** Lets a feed reader that is given the page's address find the feeds. */
export function FeedLinks({ projectId, title, canonical }: FeedLinksProps) {
  return FEED_FORMATS.map((format) => (
    <link
      key={format}
      rel="alternate"
      type={feedNames[format].type}
      title={`${title} (${feedNames[format].name})`}
      href={new URL(worldFeedPath(projectId, format), canonical).href}
    />
  ))
}
