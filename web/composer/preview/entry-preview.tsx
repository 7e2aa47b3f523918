import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import { shownSize } from '#markdown/picture-size.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { type StoredFiles, useStoredFiles } from '#web/composer/attachments/files-in-text.tsx'
import { referredIds } from '#web/files/file-references.ts'
import { keepPlayers, playersIn } from '#web/markdown/players.ts'
import { followWithin, withScopedIds } from '#web/markdown/scoped-ids.ts'
import { watchPlayers } from '#web/markdown/watch-players.ts'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { createPreviewRenderer, type Preview } from './preview-renderer.ts'

const failureTexts: { [failure in Extract<Preview, { failure: unknown }>['failure']]: string } = {
  'too complex':
    'This text is too complex to be previewed with its formatting, so it is shown as plain text.',
  'not loaded':
    'The preview could not be loaded, so the text is shown as it is. Check your connection and open the preview again.',
}

type EntryPreviewProps = {
  content: string
  preview: Preview | undefined
  className: string
  /** The files of the text, if supported. */
  files: EntryFiles | undefined
}

/** The content of an entry as its readers will see it. The previous preview is shown until that of `content` is rendered. */
export function EntryPreview({ content, preview, className, files }: EntryPreviewProps) {
  const stored = useStoredFiles(files, referredIds(content))
  const previewed = useMemo(() => files && { ofText: files, stored }, [files, stored])
  const isBlank = content.trim() === ''
  const isComing = !isBlank && preview?.content !== content
  const failure = !isBlank && preview && 'failure' in preview ? failureTexts[preview.failure] : undefined
  return (
    <div className={className}>
      {/* Always rendered and never busy, so that screen readers announce its content. */}
      <output className="block text-sm text-muted not-empty:mb-4">
        {isComing && !preview ? <Coming /> : failure}
      </output>
      <div aria-busy={isComing}>
        {isBlank ? (
          <p className="text-muted">Nothing to preview yet.</p>
        ) : preview && 'html' in preview ? (
          <FormattedText html={preview.html} files={previewed} />
        ) : (
          preview && <p className="prose prose-plain">{preview.content}</p>
        )}
      </div>
    </div>
  )
}

function Coming() {
  return (
    <span className="inline-flex animate-appear items-center gap-2">
      <Ring className="text-accent" />
      Rendering the preview
    </span>
  )
}

/** Rendered Markdown whose links do not leave the composer. */
function FormattedText({ html, files }: { html: string; files: PreviewedFiles | undefined }) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!box.current) return
    // A template loads nothing, so no file is requested by its internal URL.
    const template = document.createElement('template')
    template.innerHTML = withScopedIds(html, 'preview')
    if (files) showFiles(template.content, files)
    const players = playersIn(box.current)
    box.current.replaceChildren(template.content)
    keepPlayers(players, box.current)
    for (const link of box.current.querySelectorAll('a')) keepInComposer(link)
  }, [html, files])

  const client = useQueryClient()
  const projectId = files?.ofText.projectId

  useEffect(() => {
    if (!box.current || projectId === undefined) return undefined
    const ended = new AbortController()
    const renew = () => client.invalidateQueries({ queryKey: ['files', projectId] })
    watchPlayers(box.current, ended.signal, () => renew)
    return () => ended.abort()
  }, [client, projectId])

  return <div ref={box} />
}

function keepInComposer(link: HTMLAnchorElement) {
  const href = link.getAttribute('href')
  if (!href) link.removeAttribute('href')
  else if (href.startsWith('#')) link.addEventListener('click', followWithin)
  else link.target = '_blank'
}

const startWorker = () => new Worker(new URL('./preview.worker.ts', import.meta.url), { type: 'module' })

/**
 * Returns the preview of a text, or the previous one until it is rendered. Nothing is loaded before there
 * is a text to render.
 */
export function usePreview(content: string | undefined): Preview | undefined {
  const [preview, setPreview] = useState<Preview>()
  const [renderer] = useState(() => createPreviewRenderer(startWorker, setPreview))

  useEffect(() => {
    if (content !== undefined) renderer.render(content)
  }, [renderer, content])
  useEffect(() => () => renderer.stop(), [renderer])

  return preview
}

/** The files of the previewed text, in this browser and on the server. */
type PreviewedFiles = { ofText: EntryFiles; stored: StoredFiles }

const PREFIX = '/files/'

/** Inserts the files into the rendered HTML, like the server does for readers. */
function showFiles(content: DocumentFragment, files: PreviewedFiles): void {
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

/** Marks a paragraph that consists only of several images. */
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
