import { setImmediate as untilIdle } from 'node:timers/promises'
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith'
import type { WorldEntries } from '#contract/world.ts'
import { FEED_FORMATS, type FeedFormat, worldEntryPath, worldFeedPath, worldPath } from '#web/world/paths.ts'
import { withAbsoluteLinks } from './absolute-links.ts'

/** The format that an address asks for. */
export function formatOf(url: string): FeedFormat {
  return FEED_FORMATS.find((format) => new URL(url).pathname.endsWith(`.${format}`)) ?? 'atom'
}

/** A feed as text, every address in it whole. `origin` is any address of this site. */
export async function feedText(
  news: WorldEntries,
  format: FeedFormat,
  origin: string,
): Promise<{ text: string; type: string }> {
  const self = new URL(worldFeedPath(news.project._id, format), origin).href
  return writers[format](await storyOf(news, origin), self)
}

const writers: Record<FeedFormat, (story: Story, self: string) => { text: string; type: string }> = {
  atom: (story, self) => ({ text: unpadded(atom(story, self)), type: 'application/atom+xml; charset=utf-8' }),
  rss: (story, self) => ({ text: unpadded(rss(story, self)), type: 'application/rss+xml; charset=utf-8' }),
  json: (story, self) => ({ text: json(story, self), type: 'application/feed+json; charset=utf-8' }),
}

function atom(story: Story, self: string): string {
  return generateAtomFeed({
    id: story.url,
    title: { value: story.title },
    subtitle: { value: story.description },
    updated: story.updated,
    authors: [{ name: story.author }],
    links: [
      { rel: 'self', href: self, type: 'application/atom+xml' },
      { rel: 'alternate', href: story.url, type: 'text/html' },
    ],
    entries: story.entries.map((entry) => ({
      id: entry.id,
      title: { value: entry.title },
      published: entry.published,
      updated: entry.updated,
      links: [{ rel: 'alternate', href: entry.url, type: 'text/html' }],
      categories: entry.tags.map((term) => ({ term })),
      summary: { value: entry.summary },
      ...(entry.html !== undefined && { content: { value: entry.html, type: 'html' } }),
    })),
  })
}

function rss(story: Story, self: string): string {
  return generateRssFeed({
    title: story.title,
    link: story.url,
    description: story.description,
    lastBuildDate: story.updated,
    atom: { links: [{ rel: 'self', href: self, type: 'application/rss+xml' }] },
    items: story.entries.map((entry) => ({
      title: entry.title,
      link: entry.url,
      guid: { value: entry.id, isPermaLink: false },
      pubDate: entry.published,
      dc: { creators: [story.author] },
      atom: { updated: entry.updated },
      categories: entry.tags.map((name) => ({ name })),
      // Readers take the description of an item, and of nothing else, for HTML.
      description: asHtml(entry.summary),
      ...(entry.html !== undefined && { content: { encoded: entry.html } }),
    })),
  })
}

function json(story: Story, self: string): string {
  const feed = generateJsonFeed({
    title: story.title,
    description: story.description,
    home_page_url: story.url,
    feed_url: self,
    authors: [{ name: story.author }],
    items: story.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      summary: entry.summary,
      ...(entry.html === undefined ? { content_text: entry.summary } : { content_html: entry.html }),
      tags: entry.tags,
      date_published: entry.published,
      date_modified: entry.updated,
    })),
  })
  // The generator leaves an empty list out, which the format demands.
  return JSON.stringify(Object.assign({ items: [] }, feed))
}

/** The generator sets a text that it quotes on a line of its own, and the blanks around it would be part of it. */
const unpadded = (xml: string) =>
  xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></')

const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const asHtml = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

type Story = Awaited<ReturnType<typeof storyOf>>

/** What every format says, as it says it in XML: without characters that XML cannot hold. */
async function storyOf({ project, changedAt, entries }: WorldEntries, origin: string) {
  const whole = (path: string) => new URL(path, origin).href
  const told = []
  for (const entry of entries) {
    told.push(episodeOf(entry, whole(worldEntryPath(project._id, entry._id))))
    // Many links take their time, and others wait.
    await untilIdle()
  }
  return {
    title: sayable(project.title),
    description: sayable(project.description),
    author: sayable(project.user.name),
    url: whole(worldPath(project._id)),
    updated: new Date(changedAt),
    entries: told,
  }
}

function episodeOf(entry: WorldEntries['entries'][number], url: string) {
  const { _id, title, tags, html, excerpt, imageURL, createdAt, updatedAt, milestoneTitle } = entry
  const picture = imageURL ? `<p><img src="${new URL(imageURL, url).href}" alt=""/></p>` : ''
  return {
    id: `urn:uuid:${_id}`,
    url,
    title: sayable(title),
    tags: [milestoneTitle, ...tags].map(sayable),
    html: html === undefined ? undefined : picture + sayable(withAbsoluteLinks(html, url)),
    summary: sayable(excerpt),
    published: new Date(createdAt),
    updated: new Date(updatedAt),
  }
}

/** Characters that no XML document may hold, not even escaped, and the other controls. */
const unsayable = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

const sayable = (text: string) => text.replace(unsayable, '').trim()
