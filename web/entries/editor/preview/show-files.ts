import type { ProjectFile } from '#contract/files.ts'
import { shownSize } from '#markdown/picture-size.ts'
import type { EntryFiles } from '#web/entries/editor/files/entry-files.ts'
import type { StoredFiles } from '#web/entries/editor/files/files-in-text.tsx'

/** The files of the text that is previewed: in this browser, and at the server. */
export type PreviewedFiles = { ofText: EntryFiles; stored: StoredFiles }

const PREFIX = '/files/'

/** Puts what files look like where rendered HTML refers to them, much as the server does for readers. */
export function showFiles(content: DocumentFragment, files: PreviewedFiles): void {
  for (const paragraph of content.querySelectorAll('p')) markGallery(paragraph)
  for (const image of content.querySelectorAll(`img[src^="${PREFIX}"]`)) {
    const id = (image.getAttribute('src') ?? '').slice(PREFIX.length)
    image.replaceWith(shown(image as HTMLImageElement, id, files))
  }
  for (const link of content.querySelectorAll(`a[href^="${PREFIX}"]`)) {
    const id = (link.getAttribute('href') ?? '').slice(PREFIX.length)
    const url = files.stored.get(id)?.mediaURL ?? files.ofText.queue.find(id)?.file?.mediaURL
    if (url === undefined) link.removeAttribute('href')
    else link.setAttribute('href', url)
  }
}

/** Marks a paragraph that consists of several images and nothing else. */
function markGallery(paragraph: HTMLParagraphElement): void {
  const images = [...paragraph.children].filter(({ tagName }) => tagName === 'IMG')
  const rest = [...paragraph.children].some(({ tagName }) => tagName !== 'IMG' && tagName !== 'BR')
  if (images.length > 1 && !rest && paragraph.textContent.trim() === '') paragraph.className = 'gallery'
}

function shown(image: HTMLImageElement, id: string, { ofText, stored }: PreviewedFiles): HTMLElement {
  const upload = ofText.queue.find(id)
  const file = upload?.file ?? stored.get(id) ?? undefined
  const kind = file?.kind ?? (upload?.type.startsWith('video/') ? 'video' : 'image')
  const url = kind === 'image' ? (ofText.localURL(id) ?? file?.mediaURL) : file?.mediaURL
  const caption = image.title
  const frame = document.createElement('span')
  if (url === undefined) {
    frame.className = 'media media-waiting'
    frame.append(image.alt || upload?.name || 'A file that has not been uploaded yet')
    return frame
  }
  frame.className = `media media-${kind}`
  frame.append(kind === 'image' ? picture(image, url, file) : player(kind, url, image.alt))
  if (caption !== '') {
    const words = document.createElement('span')
    words.className = 'media-caption'
    words.append(caption)
    frame.append(words)
  }
  return frame
}

function picture(image: HTMLImageElement, url: string, file: ProjectFile | undefined): HTMLElement {
  const copy = document.createElement('img')
  copy.alt = image.alt
  copy.src = url
  const { width, height } = file ?? {}
  if (width !== undefined && height !== undefined) Object.assign(copy, shownSize({ width, height }))
  return copy
}

function player(kind: ProjectFile['kind'], url: string, name: string): HTMLElement {
  const media = document.createElement(kind === 'audio' ? 'audio' : 'video')
  media.controls = true
  media.preload = 'metadata'
  media.src = url
  media.setAttribute('aria-label', name)
  return media
}
