import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith'
import type { ProfileEntries } from '#contract/profiles.ts'
import type { WorldEntries } from '#contract/world.ts'
import { showsImage } from '#web/entries/reading/entry-image.tsx'
import {
  type FeedFormat,
  profileFeedPath,
  profilePath,
  publicEntryPath,
  publicFeedPath,
  publicFollowPath,
  publicPath,
} from '#web/public/paths.ts'

/** The media type of every cover. */
const COVER_TYPE = 'image/webp'
/** The style sheet with which a browser shows a feed (public/feed.css); browsers drop XSLT. */
const STYLE = '<?xml-stylesheet type="text/css" href="/feed.css"?>'
const XHTML = 'http://www.w3.org/1999/xhtml'

/** Returns the feed of a project or of a person as text, with absolute URLs. `origin` is any URL of this site. */
export async function feedText(
  found: WorldEntries | ProfileEntries,
  format: FeedFormat,
  origin: string,
): Promise<{ text: string; type: string }> {
  const isOfPerson = 'profile' in found
  const path = isOfPerson
    ? profileFeedPath(found.profile.name, format)
    : publicFeedPath(found.project._id, format)
  const content = await (isOfPerson ? feedOfPerson(found, origin) : feedOfProject(found, origin))
  return writers[format](content, new URL(path, origin).href)
}

const writers: Record<FeedFormat, (feed: FeedContent, self: string) => { text: string; type: string }> = {
  atom: (feed, self) => ({
    text: forBrowsers(withoutPadding(atom(feed, self)), feed),
    type: 'application/atom+xml; charset=utf-8',
  }),
  rss: (feed, self) => ({
    text: forBrowsers(withoutPadding(rss(feed, self)), feed),
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
        ...(entry.enclosure
          ? [{ rel: 'enclosure', href: entry.enclosure.url, ...entry.enclosure.facts }]
          : []),
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
      ...(entry.enclosure && { enclosures: [{ url: entry.enclosure.url, ...entry.enclosure.facts }] }),
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

/**
 * Makes a feed a page for who opens it in a browser: a style sheet, a note and links to the entries, as elements of XHTML, which
 * browsers show and feed readers ignore.
 */
function forBrowsers(xml: string, { title, links, entries }: FeedContent): string {
  const note = [
    `<h:aside xmlns:h="${XHTML}"><h:p>`,
    `This is a feed: put the address of this page into a feed reader, and it shows what is new in “${asHtml(title)}”. `,
    links.map(({ url, text }) => xhtmlLink(url, text)).join(' · '),
    '</h:p></h:aside>',
  ].join('')
  const shown = entries.values()
  return xml
    .replace(/^(<\?xml[^>]*\?>)/, (declaration) => `${declaration}\n${STYLE}`)
    .replace(/<(?:feed|channel)(?: [^>]*)?>/, (root) => root + note)
    .replace(/^ *<(?:entry|item)>$/gm, (start) => start + asXhtml(shown.next().value))
}

function asXhtml(entry: FeedContent['entries'][number] | undefined): string {
  if (!entry) return ''
  const heading = `<h:h2>${xhtmlLink(entry.url, entry.title)}</h:h2>`
  return `<h:section xmlns:h="${XHTML}">${heading}<h:p>${asHtml(entry.summary)}</h:p></h:section>`
}

const xhtmlLink = (url: string, text: string) => `<h:a href="${asAttribute(url)}">${asHtml(text)}</h:a>`

const asAttribute = (text: string) => asHtml(text).replaceAll('"', '&quot;')

/** Removes the whitespace that the generator puts around CDATA sections, which would become part of the text. */
const withoutPadding = (xml: string) =>
  xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></')

const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const asHtml = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

/** The content of all formats, without the characters that XML forbids. `links`: where a browser leads on from the feed. */
type FeedContent = {
  title: string
  description: string
  author: string
  url: string
  links: { url: string; text: string }[]
  updated: Date
  entries: ReturnType<typeof feedItemOf>[]
}

async function feedOfProject(
  { project, changedAt, entries }: WorldEntries,
  origin: string,
): Promise<FeedContent> {
  const absolute = (path: string) => new URL(path, origin).href
  const items = []
  for (const entry of entries) {
    const url = absolute(publicEntryPath(project._id, entry._id))
    items.push(feedItemOf(entry, url, entry.author?.name ?? project.user.name))
    // Rewriting many links takes time, so other requests run in between.
    await yieldToEventLoop()
  }
  return {
    title: xmlText(project.title),
    description: xmlText(project.description),
    author: xmlText(project.user.name),
    url: absolute(publicPath(project._id)),
    links: [
      { url: absolute(publicFollowPath(project._id)), text: 'How to follow' },
      { url: absolute(publicPath(project._id)), text: 'To the project' },
    ],
    updated: new Date(changedAt),
    entries: items,
  }
}

/** Each entry is named with its project, and has it as its first category. */
async function feedOfPerson(
  { profile, changedAt, entries }: ProfileEntries,
  origin: string,
): Promise<FeedContent> {
  const absolute = (path: string) => new URL(path, origin).href
  const items = []
  for (const { project, ...entry } of entries) {
    const url = absolute(publicEntryPath(project._id, entry._id))
    const item = feedItemOf(entry, url, entry.author?.name ?? profile.displayName)
    const name = xmlText(project.title)
    items.push({ ...item, title: `${item.title} · ${name}`, tags: [name, ...item.tags] })
    await yieldToEventLoop()
  }
  const url = absolute(profilePath(profile.name))
  return {
    title: xmlText(profile.displayName),
    description: xmlText(profile.about),
    author: xmlText(profile.displayName),
    url,
    links: [{ url, text: 'To the page' }],
    updated: new Date(changedAt),
    entries: items,
  }
}

function feedItemOf(entry: WorldEntries['entries'][number], url: string, author: string) {
  const { _id, title, tags, html, excerpt, imageURL, createdAt, updatedAt, milestoneTitle } = entry
  const { publishedAt, happenedOn, imageBytes } = entry
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
    // RSS requires a length.
    enclosure:
      image !== undefined && imageBytes !== undefined
        ? { url: image, facts: { length: imageBytes, type: COVER_TYPE } }
        : undefined,
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
