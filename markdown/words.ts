import type { Token } from 'markdown-it'
import { characters, firstCharacters, isBlank } from '#contract/parts/characters.ts'
import { UNSPACED } from '#contract/parts/unspaced.ts'

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
/** A longer word, such as a URL, is cut. */
const WORD_MAX = 60
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u')

/**
 * Returns the beginning of a text as one line of at most `max` characters, cut after a whole word and with an ellipsis; where words
 * are not spaced, after a character. It reads only the necessary part of the text.
 */
export function shorten(text: string, max = EXCERPT_MAX): string {
  const start = text.trim()
  const beginning = start.slice(0, max * 4)
  const line = beginning.replace(/\s+/g, ' ').trim()
  if (beginning.length === start.length && characters(line) <= max) return line
  const whole = firstCharacters(line, max)
  const lastSpace = whole.lastIndexOf(' ')
  const cut = whole.slice(lastSpace + 1)
  const isWord = lastSpace > 0 && cut.length <= WORD_MAX && !UNSPACED_LETTER.test(cut)
  return `${isWord ? whole.slice(0, lastSpace) : firstCharacters(line, max - 1).trimEnd()}…`
}

/**
 * Returns the beginning of a parsed text as plain text, without pictures and links to files: of its prose, or else of all its text,
 * or else the number of these.
 */
export function excerptOf(tokens: readonly Token[]): string {
  const texts = [proseOf(tokens), tokens].map((part) => shorten(beginningOf(part)))
  return texts.find((text) => !isBlank(text)) ?? mediaText(mediaIn(tokens))
}

type Media = { pictures: number; files: number }

/** Returns the number of pictures and files, such as `2 pictures, 1 file`; empty without any. */
export function mediaText({ pictures, files }: Media): string {
  const counted = (count: number, one: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : `${one}s`}`]
  return [...counted(pictures, 'picture'), ...counted(files, 'file')].join(', ')
}

function mediaIn(tokens: readonly Token[]): Media {
  const inline = tokens.flatMap(({ children }) => children ?? [])
  return {
    pictures: inline.filter(({ type }) => type === 'image').length,
    files: inline.filter(isFileLink).length,
  }
}

const isFileLink = (token: Token) =>
  token.type === 'link_open' && String(token.attrGet('href') ?? '').startsWith('/files/')

/** Returns the inline tokens without pictures and links to files, whose words are often the names of files. */
function withoutMedia(tokens: readonly Token[]): Token[] {
  let isInFile = false
  return tokens.filter((token) => {
    if (isFileLink(token)) isInFile = true
    const isKept = !isInFile && token.type !== 'image'
    if (token.type === 'link_close') isInFile = false
    return isKept
  })
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
      const words = children ? wordsOf(withoutMedia(children)) : content
      if (words.trim() !== '') text += `${text === '' ? '' : separator}${words} `
      if (words.trim() !== '') separator = ''
      wasItem = false
    }
    if (text.length > EXCERPT_MAX * 4) break
  }
  return text
}
