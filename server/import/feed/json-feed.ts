import type { ArchiveItem } from '#server/import/archive.ts'
import { dateOf, firstDate } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { readJsonRecord } from '#server/import/converting/json.ts'
import type { Journal, Post } from '#server/import/converting/posts.ts'
import { namesIn, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'

type Reading = Converting & {
  readHtml: (html: string) => string
  /** Makes addresses in HTML whole. */
  withWhole: (html: string, base: string) => string
}

/** Reads a feed of JSON Feed, 1.0 or 1.1. */
export async function readJsonFeed(file: ArchiveItem, reading: Reading): Promise<Journal> {
  const feed = await readJsonRecord(file)
  const title = textIn(feed, 'title') ?? 'Feed'
  const site = textIn(feed, 'home_page_url', 'feed_url') ?? title
  const authors = authorsOf(feed)
  return {
    key: `feed:${site}`,
    title,
    description: textIn(feed, 'description') ?? title,
    posts: recordsIn(feed, 'items').map((item) => postOf(item, { site, authors }, reading)),
  }
}

/** Version 1.0 has one author. */
const authorsOf = (of: UnknownRecord) =>
  [...recordsIn(of, 'authors'), ...recordsIn({ author: [of.author] }, 'author')].flatMap(
    (one) => textIn(one, 'name') ?? [],
  )

function postOf(
  item: UnknownRecord,
  { site, authors }: { site: string; authors: string[] },
  { problems, zone, readHtml, withWhole }: Reading,
): Post {
  const address = textIn(item, 'url', 'external_url')
  const title = textIn(item, 'title') ?? ''
  const key = textIn(item, 'id') ?? address ?? title
  const path = title === '' ? key : title
  const happened = firstDate([item.date_published, item.date_modified], { zone, problems }, path)
  if (recordsIn(item, 'attachments').length > 0) problems.add('its enclosed file stays where it is', path)
  const html = textIn(item, 'content_html')
  const [author] = [...authorsOf(item), ...authors]
  return {
    key: `${site}:${key}`,
    path,
    title: title === '' ? happened.on : title,
    text: () =>
      html === undefined
        ? (textIn(item, 'content_text', 'summary') ?? (address === undefined ? '' : `<${address}>`))
        : readHtml(withWhole(html, address ?? site)),
    happened,
    tags: namesIn(item, 'tags'),
    ...(author !== undefined && { author }),
    updatedAt: dateOf(item.date_modified, zone)?.at,
    cover: textIn(item, 'image', 'banner_image'),
    addresses: [address, key].filter((one) => one !== undefined),
  }
}
