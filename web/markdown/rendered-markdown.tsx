import { useSentMarkup } from './sent-markup.ts'

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
