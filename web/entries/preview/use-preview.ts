import { useEffect, useState } from 'react'
import { createPreviewRenderer, type Preview } from './preview-renderer.ts'

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
