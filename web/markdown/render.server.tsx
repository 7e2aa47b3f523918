import { renderToStaticMarkup } from 'react-dom/server'
import { Markdown } from './markdown.tsx'

/** Markdown to safe HTML, for the loaders of public pages, whose readers then need no Markdown parser. */
export function renderMarkdown(content: string): string {
  return renderToStaticMarkup(<Markdown content={content} />)
}
