import { createContext, useContext, useState } from 'react'

/**
 * HTML that `renderMarkdown` made, and nothing else: it goes into the page as it is. Without `html` it is what the page
 * carries under that name; React then leaves it as it stands.
 */
export function RenderedMarkdown({ name, html }: { name: string; html: string | undefined }) {
  const sent = useSentMarkup(name)
  return (
    <div data-markup={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html ?? sent }} />
  )
}

/** On the server, what the page is to carry: HTML by name. */
export const SentMarkup = createContext<ReadonlyMap<string, string> | null>(null)

/**
 * HTML that a page carries once, in its own markup, and not again as data: on the server what its loader sent, in the
 * browser what stands there.
 */
export function useSentMarkup(name: string): string {
  const sent = useContext(SentMarkup)
  const [markup] = useState(() => (typeof document === 'undefined' ? sent?.get(name) : standing(name)))
  return markup ?? ''
}

function standing(name: string): string | undefined {
  return document.querySelector(`[data-markup="${CSS.escape(name)}"]`)?.innerHTML
}
