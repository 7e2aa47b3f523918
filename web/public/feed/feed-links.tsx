import { FEED_FORMATS, publicFeedPath } from '#web/public/paths.ts'

/** The name and media type of each feed format. */
export const feedNames = {
  atom: { name: 'Atom', type: 'application/atom+xml' },
  rss: { name: 'RSS', type: 'application/rss+xml' },
  json: { name: 'JSON Feed', type: 'application/feed+json' },
} as const

type FeedLinksProps = { projectId: string; title: string; canonical: string }

/** The link elements by which feed readers discover the feeds. */
export function FeedLinks({ projectId, title, canonical }: FeedLinksProps) {
  return FEED_FORMATS.map((format) => (
    <link
      key={format}
      rel="alternate"
      type={feedNames[format].type}
      title={`${title} (${feedNames[format].name})`}
      href={new URL(publicFeedPath(projectId, format), canonical).href}
    />
  ))
}
