import { createContext, useContext, useState } from 'react'

/**
 * Shows HTML from `renderMarkdown`, and only such HTML, because it is inserted unescaped. Without `html` it is the markup
 * that the page was rendered with under that name; hydration leaves it unchanged.
 */
export function RenderedMarkdown({ name, html }: { name: string; html: string | undefined }) {
  const sent = useSentMarkup(name)
  return (
    <div data-markup={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html ?? sent }} />
  )
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
