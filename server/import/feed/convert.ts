import { dateOf, firstDate } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { createHtmlReader, wordsOf } from '#server/import/converting/html.ts'
import { decoded } from '#server/import/converting/links.ts'
import { convertJournals, type Journal, type Post } from '#server/import/converting/posts.ts'
import { elementsIn, elementText, readXml, type XmlElement } from '#server/import/converting/xml.ts'
import type { Item } from '#server/import/items.ts'
import { readJsonFeed } from './json-feed.ts'

/** Turns feeds, RSS, Atom or JSON Feed, into a project each. */
export async function* convertFeeds(converting: Converting): AsyncGenerator<Item> {
  const journals: Journal[] = []
  const readHtml = createHtmlReader()
  // Beside feeds, an archive may have their pictures, by paths.
  const isAlone = converting.archive.items.length === converting.files.length
  for (const file of converting.files) {
    if (/\.json$/i.test(file.path)) {
      journals.push(
        await readJsonFeed(file, { ...converting, readHtml, withWhole: isAlone ? withWhole : asItIs }),
      )
      continue
    }
    const root = await readXml(file, {
      skipped: new Set(),
      isMarkup: (_name, { type }) => type === 'xhtml',
    })
    const feed = root.name === 'feed' ? root : (elementsIn(root, 'channel')[0] ?? root)
    const title = wordsOf(elementText(feed, 'title') ?? 'Feed', readHtml)
    const site = addressOf(feed) ?? title
    // The items of RSS 1.0 are beside its channel.
    const items = [...elementsIn(feed, 'item', 'entry'), ...(feed === root ? [] : elementsIn(root, 'item'))]
    journals.push({
      key: `feed:${site}`,
      title,
      description: wordsOf(elementText(feed, 'description', 'subtitle') ?? title, readHtml),
      posts: items.flatMap((item) =>
        postOf(item, site, { ...converting, readHtml, isAlone, base: baseOf(feed, root) }),
      ),
    })
  }
  yield* convertJournals(converting, journals, { fileOf: (address) => localPath(address) })
}

const asItIs = (html: string) => html

/** Pictures come only with an address that is a path in the archive. */
const localPath = (address: string) =>
  /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address) ? undefined : decoded(address)

/** The address of a feed or an item: the text of `link`, or the `href` of the one to the page itself. */
function addressOf(element: XmlElement): string | undefined {
  const links = elementsIn(element, 'link')
  const text = links.find((link) => link.text.trim() !== '')?.text.trim()
  const own = links.find(({ attributes: { rel = 'alternate' } }) => rel === 'alternate')
  return text ?? own?.attributes.href
}

function postOf(
  item: XmlElement,
  site: string,
  {
    readHtml,
    problems,
    zone,
    isAlone,
    base,
  }: Converting & { readHtml: (html: string) => string; isAlone: boolean; base: string | undefined },
): Post[] {
  const kind = kindOf(item)
  if (kind !== undefined && kind !== 'post' && kind !== 'page') {
    problems.add('it is neither a post nor a page', elementText(item, 'title') ?? kind)
    return []
  }
  const found = addressOf(item)
  const address = isAlone && found !== undefined ? whole(found, site) : found
  const written = elementText(item, 'title') ?? ''
  const title = readTitle(written, item, readHtml)
  const key = elementText(item, 'guid', 'id') ?? address ?? written
  const path = title === '' ? key : title
  const [content] = ['content:encoded', 'content', 'description', 'summary']
    .flatMap((name) => elementsIn(item, name))
    .filter(({ text }) => text.trim() !== '')
  const dates = ['pubDate', 'published', 'dc:date', 'updated', 'atom:updated']
  const happened = firstDate(
    dates.map((name) => elementText(item, name)),
    { zone, problems },
    path,
  )
  const pictures = picturesOf(item).filter(({ address }) => content?.text.includes(address) !== true)
  if (elementsIn(item, 'enclosure').some(({ attributes }) => !isPictureType(attributes.type)))
    problems.add('its enclosed file stays where it is', path)
  const author =
    elementText(item, 'dc:creator') ??
    elementsIn(item, 'author').map((one) => elementText(one, 'name') ?? one.text.trim())[0]
  const isText = content?.attributes.type === 'text'
  return [
    {
      key: `${site}:${key}`,
      path,
      title: title === '' ? happened.on : title,
      text: () =>
        withPictures(
          content
            ? isText
              ? content.text.trim()
              : readHtml(
                  isAlone
                    ? withWhole(content.text, baseOf(content, item) ?? address ?? base ?? site)
                    : content.text,
                )
            : address === undefined
              ? ''
              : `<${address}>`,
          pictures,
        ),
      happened,
      tags: elementsIn(item, 'category', 'dc:subject')
        .filter(({ attributes }) => attributes.scheme !== KIND_SCHEME)
        .map(({ attributes, text }) => attributes.label ?? attributes.term ?? text.trim()),
      isDraft: elementsIn(item, 'app:control').some((control) => elementText(control, 'app:draft') === 'yes'),
      ...(kind === 'page' && { milestone: 'Pages' }),
      ...(author !== undefined && author !== '' && { author }),
      updatedAt: dateOf(elementText(item, 'updated', 'atom:updated'), zone)?.at,
      addresses: [address, key].filter((one) => one !== undefined),
    },
  ]
}

const isPictureType = (type = '') => type.startsWith('image/')

/** The pictures beside the text of an item, as Mastodon, Flickr and WordPress have them. */
const picturesOf = (item: XmlElement) =>
  [item, ...elementsIn(item, 'media:group')]
    .flatMap((element) => elementsIn(element, 'media:content', 'enclosure'))
    .filter(({ attributes: { medium, type } }) => medium === 'image' || isPictureType(type))
    .map((element) => ({
      address: element.attributes.url ?? '',
      words: elementText(element, 'media:description', 'media:title') ?? '',
    }))
    .filter(({ address }) => /^https?:[^\s<>]+$/.test(address))

const withPictures = (text: string, pictures: ReturnType<typeof picturesOf>) =>
  [
    text,
    ...pictures.map(({ address, words }) => `![${words.replaceAll(/[[\]\s]+/g, ' ').trim()}](<${address}>)`),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

/** Blogger exports everything in one feed, also comments, settings and templates, and says what each is. */
const KIND_SCHEME = 'http://schemas.google.com/g/2005#kind'

const kindOf = (item: XmlElement) =>
  elementsIn(item, 'category')
    .filter(({ attributes }) => attributes.scheme === KIND_SCHEME)
    .map(({ attributes }) => attributes.term?.replace(/^.*#/, ''))[0]

/** A title of Atom may be HTML. RSS does not say what it is, but a title that has entities of HTML is meant as such. */
function readTitle(title: string, item: XmlElement, readHtml: (html: string) => string): string {
  const type = elementsIn(item, 'title')[0]?.attributes.type
  const isHtml = type === 'html' || type === 'xhtml' || (type === undefined && ENTITY.test(title))
  return isHtml ? wordsOf(title, readHtml) : title
}

const ENTITY = /&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});/i

const baseOf = (...elements: XmlElement[]) =>
  elements.map(({ attributes }) => attributes['xml:base']).find((base) => base !== undefined)

/** An address in HTML; nothing of it reaches beyond the next `<`. */
const ADDRESS =
  /(<(?:a|img|source|video|audio|iframe)\s[^<>]{0,500}?\b(?:href|src)\s*=\s*["'])([^"'<>\s]{1,2000})/gi

/** Returns HTML with whole addresses: those of a feed may be relative to its page. */
const withWhole = (html: string, base: string) =>
  html.replaceAll(
    ADDRESS,
    (_, before: string, address: string) =>
      `${before}${whole(address.replaceAll('&amp;', '&'), base).replaceAll('&', '&amp;')}`,
  )

/** Returns an address that is relative to `base` as a whole one; unchanged if `base` is none. */
function whole(address: string, base: string): string {
  if (address.startsWith('#') || !/^https?:/i.test(base)) return address
  return URL.parse(address, base)?.href ?? address
}
