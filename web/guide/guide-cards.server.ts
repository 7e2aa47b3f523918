import type { RouterContextProvider } from 'react-router'
import { renderMarkdown } from '#markdown/render.ts'
import { sendMarkup } from '#web/markdown/send-markup.server.ts'
import { examples } from './examples.server.ts'

let cards: { title: string; source: string; html: string }[] | undefined

/** Rendered once, so that the guide's readers need no Markdown parser; not before it is read, which a start would wait for. */
function renderedCards() {
  cards ??= examples.map(({ title, source }) => ({ title, source, html: renderMarkdown(source).html }))
  return cards
}

/** The cards of the guide: each a piece of Markdown, and the HTML that it becomes. */
export function sendCards(context: Readonly<RouterContextProvider>) {
  return renderedCards().map(({ title, source, html }) => ({
    title,
    source,
    html: sendMarkup(context, title, html),
  }))
}
