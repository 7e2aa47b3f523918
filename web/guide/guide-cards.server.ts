import { renderMarkdown } from '#web/markdown/render.server.tsx'
import { examples } from './examples.server.ts'

/** A card of the guide: a piece of Markdown, and the HTML that it becomes. */
export type GuideCard = { title: string; source: string; html: string }

/** The cards, rendered once, so that the guide's readers need no Markdown parser. */
export const guideCards: readonly GuideCard[] = examples.map(({ title, source }) => ({
  title,
  source,
  html: renderMarkdown(source),
}))
