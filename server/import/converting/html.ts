import { createFromHtml } from '#markdown/from-html.ts'

/** Turns HTML into Markdown. Nothing of it runs, and what would run is dropped. */
export function createHtmlReader(): (html: string) => string {
  const service = createFromHtml()
  service.remove(['script', 'style', 'noscript', 'template', 'head', 'object', 'form', 'select', 'textarea'])
  service.addRule('embedded', {
    filter: ['iframe', 'video', 'audio'],
    replacement(content, node) {
      const address = addressOf(node)
      if (address === '') return content
      return node.nodeName === 'IFRAME' ? `\n\n<${address}>\n\n` : `\n\n![](${address})\n\n`
    },
  })
  service.addRule('figures', {
    filter: 'figure',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  })
  service.addRule('captions', {
    filter: 'figcaption',
    replacement: (content) => (content.trim() === '' ? '' : `\n\n${content.trim()}\n\n`),
  })
  service.addRule('summaries', {
    filter: 'summary',
    replacement: (content) => (content.trim() === '' ? '' : `\n\n**${content.trim()}**\n\n`),
  })
  // A picture that leads to a larger one, as blogs and notes have it, is the picture alone.
  service.addRule('pictures that are links', {
    filter: (node) =>
      node.nodeName === 'A' &&
      node.children.length === 1 &&
      node.children[0]?.nodeName === 'IMG' &&
      (node.textContent ?? '').trim() === '' &&
      /\.(?:jpe?g|png|webp|gif|avif|heic)(?:[?#]|$)/i.test(node.getAttribute('href') ?? ''),
    replacement: (content) => content,
  })
  return (html) => service.turndown(html).trim()
}

/** Returns the words of a title that is HTML, or has its entities. */
export const wordsOf = (title: string, readHtml: (html: string) => string): string =>
  /[<&]/.test(title) ? readHtml(title).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') : title

function addressOf(node: Element): string {
  const address = node.getAttribute('src') ?? node.querySelector('source')?.getAttribute('src') ?? ''
  return /^(?:https?:|\/|[^:\s]+$)/i.test(address) && !/[<>\s]/.test(address) ? address : ''
}
