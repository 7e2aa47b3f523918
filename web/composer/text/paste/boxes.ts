import { CALLOUT } from '#markdown/from-html.ts'

/** The boxes of Obsidian, Outline, Ghost, BookStack, Trilium, HedgeDoc, Notion, MkDocs, Docusaurus, VitePress, Docmost and Confluence. */
const BOXES =
  '.callout:not(blockquote), .notice-block, .kg-callout-card, .admonition:not(blockquote), .theme-admonition, .custom-block, .alert[class*="alert-"], [data-type="callout"], [data-panel-type]'
const TITLES =
  '.callout-title, .custom-block-title, .admonition-title, .admonition-heading, [class*="admonitionHeading"]'
const KINDS_IN = [CALLOUT, 'data-callout-type', 'data-panel-type']
const ICONS = '.callout-icon, .icon, .admonition-icon'

/** The words in their classes by which they are not just notes. */
const kinds: [kind: string, words: RegExp][] = [
  ['CAUTION', /^(?:caution|danger|error|failure|fail|missing|bug)$/],
  ['WARNING', /^(?:warning|warn|attention|question|help|faq)$/],
  ['IMPORTANT', /^important$/],
  ['TIP', /^(?:tip|hint|success|check|done)$/],
]

/** Makes the boxes with an icon or colour of other programs callouts, with a title of their own in bold. */
export function makeCallouts(body: Element): void {
  for (const box of body.querySelectorAll(BOXES)) {
    if (box.closest(`blockquote[${CALLOUT}]`)) continue
    const words = [box.className, ...KINDS_IN.map((name) => box.getAttribute(name) ?? '')]
      .join(' ')
      .toLowerCase()
      .split(/[\s-]+/)
    const [kind = 'NOTE'] = kinds.find(([, known]) => words.some((word) => known.test(word))) ?? []
    const { ownerDocument: document } = box
    const quote = document.createElement('blockquote')
    quote.setAttribute(CALLOUT, kind)
    for (const icon of box.querySelectorAll(ICONS)) if (!icon.querySelector('p')) icon.remove()
    joinEmoji(box)
    const title = box.querySelector(TITLES)
    const written = (title?.textContent ?? '').trim()
    title?.remove()
    if (written !== '' && !words.includes(written.toLowerCase())) {
      const strong = document.createElement('strong')
      strong.textContent = written
      const line = document.createElement('p')
      line.append(strong)
      quote.append(line)
    }
    const content = box.nodeName === 'P' ? document.createElement('p') : quote
    content.append(...box.childNodes)
    if (content !== quote) quote.append(content)
    box.replaceWith(quote)
  }
}

/** Ghost puts the emoji that an author chose beside the text. */
function joinEmoji(box: Element): void {
  const emoji = box.querySelector('.kg-callout-emoji')
  const text = box.querySelector('.kg-callout-text')
  if (!emoji || !text) return
  text.prepend(`${(emoji.textContent ?? '').trim()} `)
  emoji.remove()
}
