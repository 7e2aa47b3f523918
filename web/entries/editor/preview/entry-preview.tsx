import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { EntryFiles } from '#web/entries/editor/files/entry-files.ts'
import { useStoredFiles } from '#web/entries/editor/files/files-in-text.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { createPreviewRenderer, type Preview } from './preview-renderer.ts'
import { type PreviewedFiles, showFiles } from './show-files.ts'

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
  /** The files of the text, if it can have any. */
  files: EntryFiles | undefined
}

/** The content of an entry as its readers will see it. What was shown before stays until the preview of `content` is there. */
export function EntryPreview({ content, preview, className, files }: EntryPreviewProps) {
  const stored = useStoredFiles(files, content)
  const previewed = useMemo(() => files && { ofText: files, stored }, [files, stored])
  const isBlank = content.trim() === ''
  const isComing = !isBlank && preview?.content !== content
  const failure = !isBlank && preview && 'failure' in preview ? failureTexts[preview.failure] : undefined
  return (
    <div className={className}>
      {/* Always there, and never busy, so that what appears in it is read out. */}
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

/** Rendered Markdown whose links do not lead out of the editor. */
function FormattedText({ html, files }: { html: string; files: PreviewedFiles | undefined }) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!box.current) return
    // A template loads nothing, so that no file is asked for by an address that means nothing to a browser.
    const template = document.createElement('template')
    template.innerHTML = html
    if (files) showFiles(template.content, files)
    box.current.replaceChildren(template.content)
    for (const link of box.current.querySelectorAll('a')) keepInEditor(link)
  }, [html, files])

  return <div ref={box} />
}

function keepInEditor(link: HTMLAnchorElement) {
  const href = link.getAttribute('href')
  if (!href) link.removeAttribute('href')
  else if (href.startsWith('#')) link.addEventListener('click', scrollToTarget)
  else link.target = '_blank'
}

/** Within the preview: following the link would change the URL, and so leave the editor. */
function scrollToTarget(event: MouseEvent) {
  event.preventDefault()
  const { hash } = event.currentTarget as HTMLAnchorElement
  document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView({ block: 'nearest' })
}

const startWorker = () => new Worker(new URL('./preview.worker.ts', import.meta.url), { type: 'module' })

/**
 * The preview of a text: the one shown last until that of this text has been rendered. Nothing is loaded before there
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
