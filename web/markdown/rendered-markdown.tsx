import { createContext, useContext, useEffect, useRef, useState } from 'react'

/**
 * Shows HTML from `renderMarkdown`, and only such HTML, because it is inserted unescaped. Without `html` it is the markup
 * that the page was rendered with under that name; hydration leaves it unchanged.
 */
export function RenderedMarkdown({ name, html }: { name: string; html: string | undefined }) {
  const sent = useSentMarkup(name)
  const box = useRef<HTMLDivElement>(null)
  const markup = html ?? sent

  useEffect(() => {
    const ended = new AbortController()
    if (box.current && markup.includes('media-image')) void openPictures(box.current, ended.signal)
    return () => ended.abort()
  }, [markup])

  return (
    <div ref={box} data-markup={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: markup }} />
  )
}

/** Lets the pictures of a text be looked at by themselves. A text without pictures loads nothing for it. */
async function openPictures(box: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const { makePicturesOpen } = await import('./pictures/pictures.ts')
    if (!signal.aborted) makePicturesOpen(box, signal)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the pictures are there all the same
    console.warn(error)
  }
}

/** On the server: the HTML that the loaders sent with the page, by name. */
export const SentMarkup = createContext<ReadonlyMap<string, string> | null>(null)

/** Returns HTML that a page contains only as markup, not again as data: from the loader, or in the browser from the DOM. */
function useSentMarkup(name: string): string {
  const sent = useContext(SentMarkup)
  const [markup] = useState(() => (typeof document === 'undefined' ? sent?.get(name) : fromDom(name)))
  return markup ?? ''
}

function fromDom(name: string): string | undefined {
  return document.querySelector(`[data-markup="${CSS.escape(name)}"]`)?.innerHTML
}
