import type { createFromHtml } from '#markdown/from-html.ts'

/** Adds what programs write for callouts, toggles, players and footnotes, which have no elements in HTML. */
export function addCards(service: ReturnType<typeof createFromHtml>): void {
  service.addRule('footnotes of Substack', {
    filter: (node) => hasClass(node, /^footnote-anchor$/) && /^\d{1,4}$/.test(node.textContent ?? ''),
    replacement: (_content, node) => `[^${node.textContent}]`,
  })
  service.addRule('texts of footnotes of Substack', {
    filter: (node) =>
      hasClass(node, /^footnote$/) && (node.querySelector('.footnote-number') ?? null) !== null,
    replacement(content, node) {
      const number = (node.querySelector('.footnote-number')?.textContent ?? '').trim()
      const text = content.trim().replace(/^\[\d{1,4}\]\([^()\s]*\)\s*/, '')
      return `\n\n[^${number}]: ${text.replaceAll('\n', '\n    ')}\n\n`
    },
  })
  service.addRule('callouts of Notion and Ghost', {
    filter: (node) => hasClass(node, CALLOUT),
    replacement: (content) =>
      `\n\n${content
        .trim()
        // Its sign is a block of its own.
        .replace(/^(\p{Extended_Pictographic}\S{0,8})\n+/u, '$1 ')
        .replaceAll(/^/gm, '> ')}\n\n`,
  })
  service.addRule('toggles of Ghost', {
    filter: (node) => hasClass(node, /^kg-toggle-card$/),
    replacement(content) {
      const [heading = '', ...rest] = content.trim().split('\n')
      return `\n\n${foldedText(heading.replace(/^#+ /, ''), rest.join('\n'))}\n\n`
    },
  })
  service.addRule('what only a page shows', {
    filter: (node) => hasClass(node, OF_PAGE),
    replacement: () => '',
  })
}

const CALLOUT = /^(?:callout|kg-callout-card)$/
/** Parts of cards of Ghost, Notion, WordPress and Substack that are controls, or say what their link says. */
const OF_PAGE =
  /^(?:kg-(?:bookmark-(?:icon|thumbnail)|file-card-(?:metadata|icon|caption)|video-(?:overlay|player-container)|audio-(?:thumbnail|player)|signup-card)|bookmark-(?:icon|image|href)|wp-block-file__button|image-link-expand|mixtapeImage|subscription-widget(?:-wrap)?)$/

const hasClass = (node: Element, name: RegExp) =>
  (node.getAttribute('class') ?? '').split(/\s+/).some((one) => name.test(one))

/** Returns a text that is folded under its summary. */
export const foldedText = (summary: string, text: string): string =>
  `<details>\n<summary>${summary.replaceAll(/\s+/g, ' ').trim()}</summary>\n\n${text.trim()}\n\n</details>`
