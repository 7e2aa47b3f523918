import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith'
import type { WorldEntries } from '#contract/world.ts'
import { showsImage } from '#web/entries/reading/entry-image.tsx'
import { FEED_FORMATS, type FeedFormat, worldEntryPath, worldFeedPath, worldPath } from '#web/world/paths.ts'

/** The media type of every cover. */
const COVER_TYPE = 'image/webp'

/** Returns the feed format of a URL. */
export function formatOf(url: string): FeedFormat {
  return FEED_FORMATS.find((format) => new URL(url).pathname.endsWith(`.${format}`)) ?? 'atom'
}

/** Returns a feed as text, with absolute URLs. `origin` is any URL of this site. */
export async function feedText(
  entries: WorldEntries,
  format: FeedFormat,
  origin: string,
): Promise<{ text: string; type: string }> {
  const self = new URL(worldFeedPath(entries.project._id, format), origin).href
  return writers[format](await feedContentOf(entries, origin), self)
}

const writers: Record<FeedFormat, (feed: FeedContent, self: string) => { text: string; type: string }> = {
  atom: (feed, self) => ({
    text: withoutPadding(atom(feed, self)),
    type: 'application/atom+xml; charset=utf-8',
  }),
  rss: (feed, self) => ({
    text: withoutPadding(rss(feed, self)),
    type: 'application/rss+xml; charset=utf-8',
  }),
  json: (feed, self) => ({ text: json(feed, self), type: 'application/feed+json; charset=utf-8' }),
}

function atom(feed: FeedContent, self: string): string {
  return generateAtomFeed({
    id: feed.url,
    title: { value: feed.title },
    subtitle: { value: feed.description },
    updated: feed.updated,
    authors: [{ name: feed.author }],
    links: [
      { rel: 'self', href: self, type: 'application/atom+xml' },
      { rel: 'alternate', href: feed.url, type: 'text/html' },
    ],
    entries: feed.entries.map((entry) => ({
      id: entry.id,
      title: { value: entry.title },
      published: entry.published,
      updated: entry.updated,
      authors: [{ name: entry.author }],
      links: [
        { rel: 'alternate', href: entry.url, type: 'text/html' },
        ...(entry.image === undefined ? [] : [{ rel: 'enclosure', href: entry.image, type: COVER_TYPE }]),
      ],
      categories: entry.tags.map((term) => ({ term })),
      summary: { value: entry.summary },
      ...(entry.html !== undefined && { content: { value: entry.html, type: 'html' } }),
    })),
  })
}

function rss(feed: FeedContent, self: string): string {
  return generateRssFeed({
    title: feed.title,
    link: feed.url,
    description: feed.description,
    lastBuildDate: feed.updated,
    atom: { links: [{ rel: 'self', href: self, type: 'application/rss+xml' }] },
    items: feed.entries.map((entry) => ({
      title: entry.title,
      link: entry.url,
      guid: { value: entry.id, isPermaLink: false },
      pubDate: entry.published,
      dc: { creators: [entry.author] },
      atom: { updated: entry.updated },
      categories: entry.tags.map((name) => ({ name })),
      ...(entry.image !== undefined && {
        // RSS requires a length; 0 means unknown.
        enclosures: [{ url: entry.image, length: 0, type: COVER_TYPE }],
      }),
      // Feed readers interpret an item's description, and only that, as HTML.
      description: asHtml(entry.summary),
      ...(entry.html !== undefined && { content: { encoded: entry.html } }),
    })),
  })
}

function json(feed: FeedContent, self: string): string {
  const jsonFeed = generateJsonFeed({
    title: feed.title,
    description: feed.description,
    home_page_url: feed.url,
    feed_url: self,
    authors: [{ name: feed.author }],
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      summary: entry.summary,
      ...(entry.html === undefined ? { content_text: entry.summary } : { content_html: entry.html }),
      ...(entry.image !== undefined && { image: entry.image }),
      tags: entry.tags,
      authors: [{ name: entry.author }],
      date_published: entry.published,
      date_modified: entry.updated,
    })),
  })
  // The generator omits an empty list, which the format requires.
  return JSON.stringify(Object.assign({ items: [] }, jsonFeed))
}

/** Removes the whitespace that the generator puts around CDATA sections, which would become part of the text. */
const withoutPadding = (xml: string) =>
  xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></')

const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const asHtml = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

type FeedContent = Awaited<ReturnType<typeof feedContentOf>>

/** Returns the content of all formats, without the characters that XML forbids. */
async function feedContentOf({ project, changedAt, entries }: WorldEntries, origin: string) {
  const absolute = (path: string) => new URL(path, origin).href
  const items = []
  for (const entry of entries) {
    const url = absolute(worldEntryPath(project._id, entry._id))
    items.push(feedItemOf(entry, url, entry.author?.name ?? project.user.name))
    // Rewriting many links takes time, so other requests run in between.
    await yieldToEventLoop()
  }
  return {
    title: xmlText(project.title),
    description: xmlText(project.description),
    author: xmlText(project.user.name),
    url: absolute(worldPath(project._id)),
    updated: new Date(changedAt),
    entries: items,
  }
}

function feedItemOf(entry: WorldEntries['entries'][number], url: string, author: string) {
  const { _id, title, tags, html, excerpt, imageURL, createdAt, updatedAt, milestoneTitle } = entry
  const { publishedAt, happenedOn } = entry
  const image = imageURL === undefined ? undefined : new URL(imageURL, url).href
  const hasOwnImage = image !== undefined && !showsImage(html ?? '', imageURL)
  const picture = hasOwnImage ? `<p><img src="${image}" alt=""/></p>` : ''
  return {
    id: `urn:uuid:${_id}`,
    url,
    title: xmlText(title),
    tags: [milestoneTitle, ...tags].map(xmlText),
    // Feed readers sort by any date, so that of publication is the only one; the day in the journal is in the text.
    html:
      html === undefined
        ? undefined
        : `<p><time datetime="${happenedOn}">${happenedOn}</time></p>${picture}${xmlText(withAbsoluteLinks(withoutMarkup(html), url))}`,
    summary: `${happenedOn} · ${xmlText(excerpt)}`,
    image,
    author: xmlText(author),
    published: new Date(publishedAt ?? createdAt),
    updated: new Date(updatedAt),
  }
}

const formula = /<math\b[^>]*? alttext="([^"]*)"[^>]*>.*?<\/math>/gs
const task = /<input type="checkbox"[^>]*>/g

/** Replaces what feed readers remove or garble: formulas by their TeX, and checkboxes by characters. */
const withoutMarkup = (html: string) =>
  html
    .replace(formula, (_all, tex: string) => `<code>${tex}</code>`)
    .replace(task, (box) => (/ checked\b/.test(box) ? '☑' : '☐'))

/** Characters that XML forbids even when escaped, and other control characters. */
const forbiddenInXml = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

const xmlText = (text: string) => text.replace(forbiddenInXml, '').trim()

/** Matches a URL attribute in the HTML of our Markdown renderer, which escapes quotation marks in text and values. */
const attribute = / (href|src)="([^"]+)"/g
const scheme = /^[a-z][a-z\d+.-]*:/i

/**
 * Returns rendered HTML with absolute URLs, for feed readers. `base` is the URL of its page. URLs are joined as text, because
 * parsing each of twenty thousand links would block other requests.
 */
export function withAbsoluteLinks(html: string, base: string): string {
  const { protocol, origin, pathname } = new URL(base)
  const page = origin + pathname
  const folder = page.slice(0, page.lastIndexOf('/') + 1)

  function absolute(url: string): string {
    if (scheme.test(url)) return url
    if (url.startsWith('//')) return protocol + url
    if (url.startsWith('/')) return origin + url
    if (url.startsWith('#') || url.startsWith('?')) return page + url
    return folder + url
  }

  return html.replace(attribute, (_all, name: string, url: string) => ` ${name}="${absolute(url)}"`)
}
