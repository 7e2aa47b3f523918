/** HTML that `renderMarkdown` made, and nothing else: it goes into the page as it is. */
export function RenderedMarkdown({ html }: { html: string }) {
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
