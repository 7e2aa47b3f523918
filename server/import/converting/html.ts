import { createFromHtml } from '#markdown/from-html.ts'
import { addCards } from './html-cards.ts'
import { languageOf } from './html-language.ts'

const DROPPED: Parameters<ReturnType<typeof createFromHtml>['remove']>[0] = [
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'object',
  'form',
  'select',
  'textarea',
  'button',
]

/** Turns HTML into Markdown. Nothing of it runs, and what would run is dropped. */
export function createHtmlReader(): (html: string) => string {
  const service = createFromHtml()
  service.remove(DROPPED)
  service.addRule('embedded', {
    filter: ['iframe', 'video', 'audio'],
    replacement(content, node) {
      const address = addressOf(node)
      if (address === '') return content
      return node.nodeName === 'IFRAME' ? `\n\n<${address}>\n\n` : `\n\n![](${address})\n\n`
    },
  })
  // turndown takes for code only the first element of its own within it, and no line break.
  service.addRule('preformatted text', {
    filter: 'pre',
    replacement(_content, node) {
      for (const br of Array.from(node.querySelectorAll('br'))) br.textContent = '\n'
      const code = (node.textContent ?? '').replace(/^\n|\s+$/g, '')
      let fence = '```'
      for (const [found] of code.matchAll(/`{3,}/g)) if (found.length >= fence.length) fence = `${found}\``
      return code === '' ? '' : `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`
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
  service.addRule('formulas', {
    filter: (node) => texOf(node) !== undefined,
    replacement(_content, node) {
      const tex = texOf(node) ?? ''
      return isDisplayed(node) ? `\n\n$$\n${tex}\n$$\n\n` : `$${tex}$`
    },
  })
  service.addRule('pictures that a script would load', {
    filter: (node) => node.nodeName === 'IMG' && lateAddressOf(node) !== undefined,
    replacement: (_content, node) =>
      `![${(node.getAttribute('alt') ?? '').replaceAll(/[[\]\s]+/g, ' ')}](${lateAddressOf(node)})`,
  })
  // A card: Markdown has no link over several paragraphs.
  service.addRule('links around blocks', {
    filter: (node) =>
      node.nodeName === 'A' && node.hasAttribute('href') && (node.querySelector(BLOCKS) ?? null) !== null,
    replacement(content, node) {
      const words = content
        .replaceAll(/^[#>\s]+/gm, '')
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim()
      const address = node.getAttribute('href') ?? ''
      if (PICTURE_ALONE.test(words) && LEADS_TO_PICTURE.test(address)) return `\n\n${words}\n\n`
      return words === '' ? '' : `\n\n[${words}](<${address.replaceAll(/[<>\n]/g, encodeURIComponent)}>)\n\n`
    },
  })
  // A picture that leads to a larger one, as blogs and notes have it, is the picture alone.
  service.addRule('pictures that are links', {
    filter: (node) =>
      node.nodeName === 'A' &&
      node.children.length === 1 &&
      node.children[0]?.nodeName === 'IMG' &&
      (node.textContent ?? '').trim() === '' &&
      LEADS_TO_PICTURE.test(node.getAttribute('href') ?? ''),
    replacement: (content) => content,
  })
  addCards(service)
  return (html) => service.turndown(html).trim()
}

const LEADS_TO_PICTURE = /\.(?:jpe?g|png|webp|gif|avif|heic)(?:[?#]|$)/i
const PICTURE_ALONE = /^!\[[^\]]*\]\([^()\s]*\)$/
const BLOCKS = 'p,div,h1,h2,h3,h4,h5,h6,ul,ol,figure,section,blockquote'

/** Returns the formula of an element that shows one and notes how it was written; undefined for others. */
function texOf(node: Element): string | undefined {
  const isFormula =
    node.nodeName.toLowerCase() === 'math' ||
    /(?:^|\s)katex(?:-display)?(?:\s|$)/.test(node.getAttribute('class') ?? '')
  if (!isFormula) return undefined
  const tex = node.querySelector('annotation[encoding="application/x-tex"]')?.textContent?.trim()
  return tex === undefined || tex === '' ? undefined : tex.replaceAll(/\s*\n\s*/g, ' ')
}

const isDisplayed = (node: Element) =>
  /katex-display/.test(node.getAttribute('class') ?? '') || node.getAttribute('display') === 'block'

/** Where the picture is that an `img` will show once scripts have run; undefined for one that shows it already. */
function lateAddressOf(node: Element): string | undefined {
  const shown = node.getAttribute('src') ?? ''
  if (shown !== '' && !shown.startsWith('data:')) return undefined
  const late = ['data-src', 'data-lazy-src', 'data-original', 'data-srcset', 'srcset']
    .map((name) => node.getAttribute(name)?.trim().split(/[\s,]/)[0])
    .find((address) => address !== undefined && address !== '' && !address.startsWith('data:'))
  return late === undefined || /[<>()\s]/.test(late) ? undefined : late
}

/** Returns the words of a title that is HTML, or has its entities. */
export const wordsOf = (title: string, readHtml: (html: string) => string): string =>
  /[<&]/.test(title)
    ? readHtml(title.replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    : title

function addressOf(node: Element): string {
  const address = node.getAttribute('src') ?? node.querySelector('source')?.getAttribute('src') ?? ''
  return /^(?:https?:|\/|[^:\s]+$)/i.test(address) && !/[<>\s]/.test(address) ? address : ''
}
