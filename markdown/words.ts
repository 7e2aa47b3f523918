import type { Token } from 'markdown-it'

/** Returns the text of inline tokens without markup. Images count by their descriptions. */
export function wordsOf(tokens: readonly Token[]): string {
  let words = ''
  for (const { type, content, children } of tokens) {
    if (type === 'text' || type === 'code_inline' || type === 'math_inline') words += content
    else if (type === 'image') words += wordsOf(children ?? [])
    else if (type === 'softbreak' || type === 'hardbreak') words += '\n'
  }
  return words
}

/** Returns the text of all tokens except blocks of code. */
export function readableText(tokens: readonly Token[]): string {
  return tokens.map(({ children }) => (children ? wordsOf(children) : '')).join('\n')
}

// oxlint-disable-next-line no-restricted-properties -- its absence is handled; Firefox has had it since 125
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'word' }) : undefined

/**
 * Counts words, including those of scripts without spaces between words. The preview in a browser without `Intl.Segmenter` counts
 * only spaced words.
 */
export function countWords(text: string): number {
  if (!segmenter) return text.match(/[\p{L}\p{N}\p{M}'’]+/gu)?.length ?? 0
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++
  return count
}

const EXCERPT_MAX = 280

/**
 * Returns the beginning of a text as one line of at most `max` characters, cut after a whole word and with an ellipsis. It reads
 * only the necessary part of the text.
 */
export function shorten(text: string, max = EXCERPT_MAX): string {
  const start = text.trim()
  const beginning = start.slice(0, max * 4)
  const characters = [...beginning.replace(/\s+/g, ' ').trim()]
  if (characters.length <= max && beginning.length === start.length) return characters.join('')
  const lastSpace = characters.slice(0, max).lastIndexOf(' ')
  return `${characters.slice(0, lastSpace > 0 ? lastSpace : max - 1).join('')}…`
}

/** Returns the beginning of a parsed text as plain text: of its prose, or else of all its text. */
export function excerptOf(tokens: readonly Token[]): string {
  return shorten(beginningOf(proseOf(tokens))) || shorten(beginningOf(tokens))
}

function* proseOf(tokens: Iterable<Token>): Generator<Token> {
  let aside = 0
  for (const token of tokens) {
    if (/^(?:heading|table|footnote_block)_(?:open|close)$/.test(token.type)) aside += token.nesting || 1
    else if (aside === 0 && /^(?:inline|list_item_(?:open|close))$/.test(token.type)) yield token
  }
}

/** The separator of list items on one line. */
const BETWEEN_ITEMS = '· '

function beginningOf(tokens: Iterable<Token>): string {
  let text = ''
  let depth = 0
  let wasItem = false
  let separator = ''
  for (const { type, children, content } of tokens) {
    if (type === 'list_item_close') {
      depth -= 1
      wasItem = true
    } else if (type === 'list_item_open') {
      separator = depth > 0 || wasItem ? BETWEEN_ITEMS : ''
      depth += 1
    } else {
      const words = children ? wordsOf(children) : content
      text += `${text === '' ? '' : separator}${words} `
      separator = ''
      wasItem = false
    }
    if (text.length > EXCERPT_MAX * 4) break
  }
  return text
}
