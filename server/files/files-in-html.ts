import { shownSize, shownSizes } from '#markdown/picture-size.ts'
import { mainVariant, type UrlOf } from './present.ts'
import { widthVariants } from './storage-keys.ts'
import type { FileRecord } from './store.ts'

/** An image or a link in HTML from our Markdown renderer, which escapes `<`, `>` and `"` in texts and attributes. */
const tag = /<(img|a) ([^>]*)>/g
const reference = /(?:^| )(?:src|href)="\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i

/** Returns whether HTML may refer to files, without parsing it. */
export const mayReferToFiles = (html: string) => html.includes('="/files/')

/** Returns the ids of the files that rendered HTML refers to, with repetitions. */
export function referencesIn(html: string): string[] {
  if (!mayReferToFiles(html)) return []
  const ids = Array.from(html.matchAll(tag), ([, , attributes = '']) => idIn(attributes))
  return ids.filter((id) => id !== undefined)
}

const idIn = (attributes: string) => reference.exec(attributes)?.[1]?.toLowerCase()

/** How files are shown: with which URLs, and whether plain, for feed readers, which lack our styles. */
type Showing = {
  urlOf: UrlOf
  plain: boolean
  /** Whether a picture above the text is seen first, so that pictures in the text load lazily. */
  isBelowPicture?: boolean
}

/** A picture that begins within this many characters of HTML is on the first screen of a phone. */
const FIRST_SCREEN_CHARACTERS = 500

/**
 * Replaces references to files in rendered HTML by the files' real elements, in one pass. `files` contains those that the
 * reader may see. Only the words of other references remain.
 */
export function showFiles(html: string, files: readonly FileRecord[], showing: Showing): string {
  if (!mayReferToFiles(html)) return html
  const byId = new Map(files.map((file) => [file.id, file]))
  let isFirst = !showing.isBelowPicture
  return markGalleries(html).replace(tag, (whole, name: string, attributes: string, at: number) => {
    const id = idIn(attributes)
    if (id === undefined) return whole
    const file = byId.get(id)
    if (name === 'a') return link(file, showing)
    const seenFirst = isFirst && at < FIRST_SCREEN_CHARACTERS
    isFirst = false
    return media(file, attributes, { ...showing, seenFirst })
  })
}

const escapes: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** Returns the value of an attribute, still escaped. */
const attributeOf = (attributes: string, name: string) =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''

function link(file: FileRecord | undefined, { urlOf }: Showing): string {
  if (file?.state !== 'ready') return `<a class="file ${file ? 'file-waiting' : 'file-missing'}">`
  const download = file.kind === 'other' ? ` download="${escaped(file.name)}"` : ''
  return `<a class="file" href="${escaped(urlOf(file.id, mainVariant(file)))}"${download}>`
}

/** `seenFirst`: the reader sees it first, so the browser fetches it before layout. */
type ShowingMedia = Showing & { seenFirst: boolean }

function media(file: FileRecord | undefined, attributes: string, showing: ShowingMedia): string {
  const alt = attributeOf(attributes, 'alt')
  const caption = attributeOf(attributes, 'title')
  if (!file) return `<span class="file-missing">${alt}</span>`
  if (file.state !== 'ready') return waiting(file, alt || escaped(file.name))
  const words = caption && `<span class="media-caption">${caption}</span>`
  const shown = shownAs[file.kind](file, alt, showing)
  if (file.kind === 'other') return shown
  if (showing.plain) return caption ? `${shown}<br/>${caption}` : shown
  return `<span class="media media-${file.kind}">${shown}${words}</span>`
}

const sizeAttributes = ({ width, height }: { width: number; height: number }) =>
  ` width="${width}" height="${height}"`

const sizeOf = ({ width, height }: FileRecord) =>
  width !== null && height !== null ? sizeAttributes({ width, height }) : ''

/** Reserves space of the right size if it is known, with words instead of an empty frame. */
const waiting = (file: FileRecord, words: string) =>
  `<span class="media media-waiting" data-file="${file.id}">${words}</span>`

const shownAs: Record<FileRecord['kind'], (file: FileRecord, alt: string, showing: ShowingMedia) => string> =
  {
    image: picture,
    video: (file, alt, showing) =>
      `<video controls preload="metadata" playsinline src="${escaped(showing.urlOf(file.id, 'original'))}"${sizeOf(file)} aria-label="${alt || escaped(file.name)}">${fallback(file, alt, showing)}</video>`,
    audio: (file, alt, showing) =>
      `<audio controls preload="metadata" src="${escaped(showing.urlOf(file.id, 'original'))}" aria-label="${alt || escaped(file.name)}">${fallback(file, alt, showing)}</audio>`,
    other: (file, alt, showing) => `${link(file, showing)}${alt || escaped(file.name)}</a>`,
  }

/** What remains of a film or a sound in a feed reader that removes its element. */
const fallback = (file: FileRecord, alt: string, { urlOf, plain }: Showing) =>
  plain ? `<a href="${escaped(urlOf(file.id, 'original'))}">${alt || escaped(file.name)}</a>` : ''

function picture(file: FileRecord, alt: string, { urlOf, plain, seenFirst }: ShowingMedia): string {
  const url = escaped(urlOf(file.id, mainVariant(file)))
  if (plain) return `<img src="${url}"${sizeOf(file)} alt="${alt}"/>`
  const sources = widthVariants(file.widths).map(
    ({ variant, width }) => `${escaped(urlOf(file.id, variant))} ${width}w`,
  )
  const { width, height } = file
  const size = width !== null && height !== null ? { width, height } : undefined
  const sizes = size ? shownSizes(size) : '100vw'
  const widths = `srcset="${sources.join(', ')}" sizes="${sizes}"`
  const own = file.animated ? '' : ` ${widths}`
  const room = size ? sizeAttributes(shownSize(size)) : ''
  const order = seenFirst ? 'fetchpriority="high"' : 'loading="lazy"'
  const image = `<img src="${url}"${own}${room} alt="${alt}" ${order} decoding="async">`
  // The placeholder lies beneath the picture; both fill the same grid cell.
  const blur =
    file.blur === null ? '' : `<img class="media-blur" src="${file.blur}" alt="" aria-hidden="true">`
  if (!file.animated) return `${blur}${image}`
  return `${blur}<picture><source media="(prefers-reduced-motion: reduce)" ${widths}>${image}</picture>`
}

const PARAGRAPH = '<p>'
const END = '</p>'

/** Marks paragraphs that consist of several images and nothing else. */
function markGalleries(html: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = html.indexOf(PARAGRAPH); at !== -1; at = html.indexOf(PARAGRAPH, at + PARAGRAPH.length)) {
    if (countImages(html, at + PARAGRAPH.length) < 2) continue
    parts.push(html.slice(from, at), '<p class="gallery">')
    from = at + PARAGRAPH.length
  }
  return parts.join('') + html.slice(from)
}

/** Returns the number of images in a paragraph; 0 if it contains anything else. */
function countImages(html: string, from: number): number {
  for (let at = from, images = 0; ; ) {
    if (html.startsWith(END, at)) return images
    if (html.startsWith('<img ', at)) {
      images += 1
      at = html.indexOf('>', at) + 1
    } else if (html.startsWith('<br>', at)) at += '<br>'.length
    else if (html[at] === '\n' || html[at] === ' ') at += 1
    else return 0
  }
}
