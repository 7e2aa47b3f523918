import { createFromHtml } from '#markdown/from-html.ts'
import { isEmoji } from './block-structure.ts'
import { keepFormulas } from './copied-formulas.ts'
import { parseCopied } from './copied-styles.ts'
import { normalizeHtml, unwrap } from './normalize-html.ts'
import { linkedAddress } from './redirects.ts'
import { readSiteMarkup } from './site-markup.ts'
import { listWrittenItems } from './written-items.ts'

/** Larger pages are not converted: turndown recurses for each level, and visits every element several times. */
const ELEMENTS_MAX = 20_000
const DEPTH_MAX = 200

/** Elements that are not text, or that would be executed or sent elsewhere. */
const DROPPED =
  'script, style, template, noscript, iframe, object, embed, svg, math, title, meta, link, select, textarea'

/** Returns the Markdown of copied HTML, or null if it is too large. It is parsed into an inert document. */
export function htmlToMarkdown(html: string): string | null {
  if (hasManyTags(html)) return null
  const { body } = parseCopied(html)
  if (isTooLarge(body)) return null
  keepFormulas(body)
  readSiteMarkup(body)
  for (const element of body.querySelectorAll(DROPPED)) element.remove()
  for (const link of body.querySelectorAll('a')) keepLink(link)
  for (const image of body.querySelectorAll('img')) keepPicture(image)
  normalizeHtml(body)
  return listWrittenItems(createFromHtml().turndown(body).trim())
}

/**
 * Returns how many pictures of copied HTML cannot come along: office programs name files of the machine, or of the message, and others
 * have addresses that end within minutes or hours.
 */
export function picturesLeft(html: string): number {
  if (hasManyTags(html)) return 0
  const sources = Array.from(parseCopied(html).body.querySelectorAll('img:not([aria-roledescription])'))
  return sources.filter(
    (image) => !isEmoji(image.getAttribute('alt') ?? '') && !isLasting(lastingSource(image)),
  ).length
}

/** Pages that load a picture only when it is near the screen have its address elsewhere until then. */
const SOURCES = ['src', 'data-src', 'data-lazy-src', 'data-original', 'srcset', 'data-srcset']

/** Returns the address of a picture that others can read, if it has one. */
function lastingSource(image: Element): string | null {
  const addresses = SOURCES.map((name) => (image.getAttribute(name) ?? '').trim().split(/[\s,]/, 1)[0] ?? '')
  return addresses.find((address) => isLasting(address)) ?? null
}

function keepLink(link: Element): void {
  const address = link.getAttribute('href')
  if (address === null || !isSafe(address)) unwrap(link)
  else link.setAttribute('href', linkedAddress(address))
}

function keepPicture(image: HTMLImageElement): void {
  const source = lastingSource(image)
  if (source === null) return image.remove()
  image.setAttribute('src', source)
  // A blank line would end the picture.
  image.setAttribute('alt', image.alt.split(/\s+/).join(' ').trim())
}

/** How many pictures within HTML are taken. */
const PICTURES_MAX = 20
const picture = /^data:(image\/(png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/

/** Returns the pictures that HTML contains itself, as files. */
export function picturesWithin(html: string): File[] {
  if (hasManyTags(html)) return []
  const images = Array.from(parseCopied(html).body.querySelectorAll('img[src^="data:image/"]'))
  return images
    .filter(
      (image) => !isEmoji(image.getAttribute('alt') ?? '') && !image.hasAttribute('aria-roledescription'),
    )
    .slice(0, PICTURES_MAX)
    .flatMap((image, index) => {
      const [, type, extension, data] = picture.exec(image.getAttribute('src') ?? '') ?? []
      if (data === undefined || type === undefined) return []
      return [new File([bytesOf(data)], `picture-${index + 1}.${extension}`, { type })]
    })
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Whether parsing alone could take a browser many seconds: each tag looks at all that are open. */
function hasManyTags(html: string): boolean {
  const tags = html.matchAll(/<[a-z]/gi)
  for (let count = 0; count <= ELEMENTS_MAX; count++) if (tags.next().done) return false
  return true
}

function isTooLarge(body: Element): boolean {
  const elements = body.querySelectorAll('*')
  if (elements.length > ELEMENTS_MAX) return true
  const depths = new Map<Element, number>([[body, 0]])
  for (const element of elements) {
    const depth = 1 + (depths.get(element.parentElement ?? body) ?? 0)
    if (depth > DEPTH_MAX) return true
    depths.set(element, depth)
  }
  return false
}

/** Google Docs, Notion, and the signed addresses of storages. */
const endingHost =
  /^https:\/\/(?:lh\d[\w-]*\.googleusercontent\.com\/docs|file\.notion\.so\/|prod-files-secure\.)/i
const endingQuery = /[?&](?:X-Amz-Expires|X-Goog-Expires|Expires|se|exp|expirationTimestamp)=\d/i

/** Whether a picture is at an address that others can read, and tomorrow too. */
const isLasting = (url: string | null) =>
  isSafe(url) && url !== null && !endingHost.test(url.trim()) && !endingQuery.test(url)

const isSafe = (url: string | null) => url !== null && /^(?:https?:\/\/|mailto:)/i.test(url.trim())
