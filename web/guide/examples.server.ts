import type { RouterContextProvider } from 'react-router'
import { renderMarkdown } from '#markdown/render.ts'
import { sendMarkup } from '#web/markdown/send-markup.server.ts'

/** What the guide shows: for each card a piece of Markdown, to be seen as it is written and as it is read. */
const examples = [
  {
    title: 'Text Formatting',
    source: `**Bold** for what matters, *italic* for a tone of voice,
~~struck out~~ for what did not work,
and \`code\` for what a machine should read.

An empty line begins a new paragraph.`,
  },
  {
    title: 'Headers',
    source: `# The first loaf
## What went in
### Flour
Rye and wheat, half and half.`,
  },
  {
    title: 'Lists',
    source: `- flour
- water
  - lukewarm, not hot
- salt

1. Mix it.
2. Wait.
3. Wait longer.`,
  },
  {
    title: 'Quotes',
    source: `> The Analytical Engine weaves algebraical patterns
> just as the Jacquard loom weaves flowers and leaves.
>
> Ada Lovelace`,
  },
  {
    title: 'Links & Images',
    source: `[This guide](/markdown-guide) has an address,
and so has https://example.com.

![The mark of Milepost, a winding trail](/favicon.svg)`,
  },
  {
    title: 'Checklists',
    source: `- [x] Feed the starter
- [x] Weigh the flour
- [ ] Heat the oven
- [ ] Bake`,
  },
] as const

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
