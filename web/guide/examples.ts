/** The examples of the guide, each shown as Markdown and rendered. */
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

/** Returns the guide's cards. Renders the examples once, on the first request, so that the server's start is not slowed down. */
export async function guideCards() {
  const { renderMarkdown } = await import('#markdown/render.ts')
  cards ??= examples.map(({ title, source }) => ({ title, source, html: renderMarkdown(source).html }))
  return cards
}
