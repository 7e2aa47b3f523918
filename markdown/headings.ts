import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { HEADING_ID_PREFIX, sectionLinks, wordsJoined } from './section-links.ts'
import { shorten, wordsOf } from './words.ts'

/** `level` is as written, 1 to 6; `id` is that of the element. */
export type Heading = { id: string; level: number; text: string }

const HEADINGS_MAX = 1_000
const TEXT_MAX = 200

/**
 * Headings start below the page's own h1 and go down one level at a time, whatever levels were written; `data-depth` keeps the
 * written size.
 */
export function headings(md: MarkdownIt): void {
  md.core.ruler.push('headings', ({ tokens }: StateCore) => {
    const idOf = uniqueIds()
    const found: Heading[] = []
    let above: number[] = []
    tokens.forEach((token, index) => {
      const close = tokens[index + 2]
      if (token.type !== 'heading_open' || !close) return
      const level = Number(token.tag.slice(1))
      above = [...above.filter((one) => one < level), level]
      token.tag = `h${Math.min(6, above.length + 1)}`
      close.tag = token.tag
      const text = shorten(wordsOf(tokens[index + 1]?.children ?? []), TEXT_MAX)
      const id = idOf(text)
      const heading: Heading = { id, level, text }
      found.push(heading)
      token.meta = { heading }
      token.attrSet('id', id)
      close.meta = { id }
    })
    sectionLinks(tokens, found)
  })
  md.renderer.rules.heading_open = (tokens, index, options, _env, renderer) => {
    const heading = (tokens[index] as Token).meta?.heading as Heading | undefined
    return `<div class="heading" data-depth="${heading?.level}">${renderer.renderToken(tokens, index, options)}`
  }
  md.renderer.rules.heading_close = (tokens, index) => {
    const { tag, meta } = tokens[index] as Token
    return `</${tag}>${anchor(String(meta?.id))}</div>\n`
  }
}

/**
 * Returns a link to the heading, beside it so that its label is no part of the heading's name. It has no text, so that feed readers
 * show nothing; the page draws the symbol.
 */
const anchor = (id: string) =>
  `<a class="heading-anchor" href="#${id}" aria-label="Link to this section"></a>`

/** Returns the headings of a text in their order, up to a maximum number. */
export function headingsOf(tokens: Token[]): Heading[] {
  return tokens.flatMap(({ meta }) => (meta?.heading ? [meta.heading as Heading] : [])).slice(0, HEADINGS_MAX)
}

/** Returns a function that derives an id from the text of a heading, numbered from the second use of the same text on. */
function uniqueIds(): (text: string) => string {
  const taken = new Set<string>()
  const used = new Map<string, number>()
  return (text) => {
    const name = `${HEADING_ID_PREFIX}${wordsJoined(text)}`
    let number = used.get(name) ?? 0
    let id = number === 0 ? name : `${name}-${number}`
    for (; taken.has(id); id = `${name}-${number}`) number++
    taken.add(id)
    used.set(name, number + 1)
    return id
  }
}
