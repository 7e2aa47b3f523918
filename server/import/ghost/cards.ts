import { foldedText } from '#server/import/converting/html-cards.ts'
import { recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'

/** Returns the Markdown of a card of Ghost's editors; empty for what is no card, or has no text. */
export function cardOf(node: UnknownRecord, readHtml: (html: string) => string): string {
  switch (node.type) {
    case 'image':
      return withCaption(
        `![${textIn(node, 'alt', 'altText') ?? ''}](${textIn(node, 'src') ?? ''})`,
        node,
        readHtml,
      )
    case 'gallery':
      return withCaption(
        recordsIn(node, 'images')
          .map((image) => `![${textIn(image, 'alt') ?? ''}](${textIn(image, 'src') ?? ''})`)
          .join('\n'),
        node,
        readHtml,
      )
    case 'markdown':
    case 'card-markdown':
      return textIn(node, 'markdown') ?? ''
    case 'html':
      return readHtml(textIn(node, 'html') ?? '')
    case 'codeblock':
    case 'code':
      return `\`\`\`${textIn(node, 'language') ?? ''}\n${textIn(node, 'code') ?? ''}\n\`\`\``
    case 'horizontalrule':
    case 'hr':
      return '---'
    case 'bookmark':
    case 'embed':
      return `<${textIn(node, 'url') ?? ''}>`
    case 'callout':
      return `> ${[textIn(node, 'calloutEmoji'), readHtml(textIn(node, 'calloutText') ?? '')].filter(Boolean).join(' ').replaceAll('\n', '\n> ')}`
    case 'toggle':
      return foldedText(readHtml(textIn(node, 'heading') ?? ''), readHtml(textIn(node, 'content') ?? ''))
    case 'video':
    case 'audio':
      return withCaption(`![](${textIn(node, 'src') ?? ''})`, node, readHtml)
    case 'file':
      return `[${textIn(node, 'fileTitle', 'fileName') ?? 'File'}](${textIn(node, 'src') ?? ''})`
    case 'button':
      return `[${textIn(node, 'buttonText') ?? ''}](${textIn(node, 'buttonUrl') ?? ''})`
    case 'product':
    case 'header':
    case 'call-to-action':
      return wordsIn(node, readHtml)
    default:
      return ''
  }
}

/** The texts of cards that show some, in their order. */
const TEXTS = ['productTitle', 'header', 'productDescription', 'subheader', 'textValue']

const wordsIn = (node: UnknownRecord, readHtml: (html: string) => string): string =>
  TEXTS.map((name) => readHtml(textIn(node, name) ?? ''))
    .filter((text) => text !== '')
    .join('\n\n')

function withCaption(shown: string, node: UnknownRecord, readHtml: (html: string) => string): string {
  const caption = readHtml(textIn(node, 'caption') ?? '')
  return caption === '' ? shown : `${shown}\n\n${caption}`
}
