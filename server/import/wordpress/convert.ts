import { dateOf, firstDate, utc } from '#server/import/converting/dates.ts'
import { type Converting, isPicture } from '#server/import/converting/documents.ts'
import { createHtmlReader, wordsOf } from '#server/import/converting/html.ts'
import { decoded } from '#server/import/converting/links.ts'
import { convertJournals, type Journal, type Post } from '#server/import/converting/posts.ts'
import { elementsIn, elementText, readXml, type XmlElement } from '#server/import/converting/xml.ts'
import type { Happened, Item } from '#server/import/items.ts'
import { htmlOfContent, type Upload } from './content.ts'
import { withFootnotes } from './footnotes.ts'

/** Comments are of others, and the rest is for the blog's program. */
const SKIPPED = new Set(['wp:comment', 'wp:term', 'wp:category', 'wp:tag'])
const NO_DATE = /^0000/
/** Records of the program, not of its author. */
const INTERNAL = /^(?:nav_menu_item|revision|custom_css|customize_changeset|oembed_cache|user_request|wp_)/

/**
 * Turns the export of WordPress (WXR) into a project: posts by their year, and pages. Its pictures come if the folder
 * `wp-content/uploads` is in the same archive.
 */
export async function* convertWordPress(converting: Converting): AsyncGenerator<Item> {
  const journals: Journal[] = []
  const readHtml = createHtmlReader()
  for (const file of converting.files) {
    const root = await readXml(file, { skipped: SKIPPED, isMarkup: () => false })
    for (const channel of elementsIn(root, 'channel')) journals.push(journalOf(channel, converting, readHtml))
  }
  yield* convertJournals(converting, joined(journals), { fileOf })
}

/** A large blog is exported in several files. */
function joined(journals: Journal[]): Journal[] {
  const byKey = new Map<string, Journal>()
  for (const journal of journals) {
    const known = byKey.get(journal.key)
    if (known) known.posts.push(...journal.posts)
    else byKey.set(journal.key, journal)
  }
  return [...byKey.values()]
}

/** The address of an uploaded file, as it was sent and not one of its smaller sizes. */
function fileOf(address: string): string | undefined {
  const [, path] = /\/(?:wp-content\/uploads|files)\/(.+)$/.exec(decoded(address)) ?? []
  return path?.replace(/-(?:\d{1,5}x\d{1,5}|scaled)(\.[a-z\d]+)$/i, '$1')
}

function journalOf(channel: XmlElement, converting: Converting, readHtml: (html: string) => string): Journal {
  const title = elementText(channel, 'title') ?? 'WordPress'
  const site = elementText(channel, 'wp:base_blog_url', 'link') ?? title
  const names = new Map(
    elementsIn(channel, 'wp:author').map((author) => [
      elementText(author, 'wp:author_login'),
      wordsOf(elementText(author, 'wp:author_display_name', 'wp:author_login') ?? '', readHtml),
    ]),
  )
  const items = elementsIn(channel, 'item')
  const uploads = new Map(
    items.flatMap((item) => {
      const address = elementText(item, 'wp:attachment_url')
      return address === undefined
        ? []
        : [[elementText(item, 'wp:post_id') ?? '', { address, caption: captionOf(item) }] as const]
    }),
  )
  const context = { ...converting, names, uploads, picturesOf: picturesByPost(items), site, readHtml }
  return {
    key: `wordpress:${site}`,
    title,
    description: elementText(channel, 'description') ?? title,
    posts: items.flatMap((item) => postOf(item, context)),
  }
}

type Context = Converting & {
  names: ReadonlyMap<string | undefined, string | undefined>
  /** Each uploaded file, by its id. */
  uploads: ReadonlyMap<string, Upload>
  /** The pictures that were sent with each post, by its id. */
  picturesOf: ReadonlyMap<string, Upload[]>
  site: string
  readHtml: (html: string) => string
}

function postOf(
  item: XmlElement,
  { names, uploads, picturesOf, site, readHtml, problems, zone }: Context,
): Post[] {
  const title = wordsOf(elementText(item, 'title') ?? '', readHtml)
  const id = elementText(item, 'wp:post_id') ?? ''
  const type = elementText(item, 'wp:post_type') ?? 'post'
  const status = elementText(item, 'wp:status') ?? 'publish'
  const path = title === '' ? `${type} ${id}` : title
  if (type === 'attachment' || INTERNAL.test(type)) return []
  const reason =
    type !== 'post' && type !== 'page'
      ? `it is neither a post nor a page, but “${type}”`
      : status === 'trash'
        ? 'it was in the trash there'
        : status === 'auto-draft'
          ? 'it was never written'
          : undefined
  if (reason !== undefined) {
    problems.add(reason, path)
    return []
  }
  const happened = happenedOf(item, zone) ?? firstDate([], { zone, problems }, path)
  const isHidden = status === 'private' || elementText(item, 'wp:post_password') !== undefined
  if (isHidden) problems.add('not everybody could read it there, and it comes as a draft', path)
  if (status === 'future') problems.add('it was scheduled there, and comes as a draft', path)
  const login = elementText(item, 'dc:creator')
  const author = names.get(login) ?? login
  const link = elementText(item, 'link')
  const content = elementText(item, 'content:encoded') ?? ''
  return [
    {
      key: `${site}:${id === '' ? (elementText(item, 'guid') ?? title) : id}`,
      path,
      title: title === '' ? happened.on : title,
      text: () =>
        readHtml(
          withFootnotes(htmlOfContent(content, uploads, picturesOf.get(id)), metaOf(item, 'footnotes')),
        ),
      ...(type === 'page' && { milestone: 'Pages' }),
      happened,
      tags: elementsIn(item, 'category')
        .filter(({ attributes }) => attributes.domain === 'category' || attributes.domain === 'post_tag')
        .filter(({ attributes }) => attributes.nicename !== 'uncategorized')
        .map(({ text }) => wordsOf(text.trim(), readHtml)),
      isDraft: isHidden || !['publish', 'inherit'].includes(status),
      ...(author !== undefined && { author }),
      createdAt: happened.at,
      updatedAt: dateOf(utc(dated(item, 'wp:post_modified_gmt')), zone)?.at,
      cover: uploads.get(metaOf(item, '_thumbnail_id'))?.address,
      addresses: [link, elementText(item, 'guid'), `${site}/?p=${id}`, `/?p=${id}`].filter(
        (one) => one !== undefined,
      ),
    },
  ]
}

const captionOf = (item: XmlElement) => elementText(item, 'excerpt:encoded') ?? ''

function picturesByPost(items: XmlElement[]): Map<string, Upload[]> {
  const found = new Map<string, Upload[]>()
  for (const item of items) {
    const address = elementText(item, 'wp:attachment_url')
    const post = elementText(item, 'wp:post_parent')
    if (address !== undefined && post !== undefined && isPicture(decoded(address)))
      found.set(post, [...(found.get(post) ?? []), { address, caption: captionOf(item) }])
  }
  return found
}

const dated = (item: XmlElement, name: string) => {
  const text = elementText(item, name)
  return text === undefined || NO_DATE.test(text) ? undefined : text
}

/** The day is that of the blog, whose time zone the file does not tell. */
function happenedOf(item: XmlElement, zone: string): Happened | null {
  const local = dateOf(dated(item, 'wp:post_date'), zone)
  const exact =
    dateOf(utc(dated(item, 'wp:post_date_gmt')), zone) ?? dateOf(elementText(item, 'pubDate'), zone)
  return exact && local ? { ...exact, on: local.on } : (exact ?? local)
}

/** Returns a value that WordPress keeps beside a post; empty if there is none. */
const metaOf = (item: XmlElement, name: string): string =>
  elementsIn(item, 'wp:postmeta')
    .filter((meta) => elementText(meta, 'wp:meta_key') === name)
    .map((meta) => elementText(meta, 'wp:meta_value') ?? '')[0] ?? ''
