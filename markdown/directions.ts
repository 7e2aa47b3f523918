import type { Env, MarkdownIt, StateCore, Token } from 'markdown-it'

/** A letter of the scripts in use today that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\p{sc=Adlam}\p{sc=Arabic}\p{sc=Hanifi_Rohingya}\p{sc=Hebrew}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Syriac}\p{sc=Thaana}]/u
const CONTAINERS = new Set<Token['type']>([
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
  'details_open',
  'footnote_block_open',
  'table_open',
])

const KEY = 'hasRightToLeft'

/**
 * Gives lists, quotations, tables and footnotes in texts with right-to-left letters the direction of their first
 * letter, so that markers and bars are on the side where the text begins. Nested ones inherit it: browsers ignore the
 * letters of elements with their own `dir` when they look for the first letter.
 */
export function directions(md: MarkdownIt): void {
  md.core.ruler.push('directions', ({ src, tokens, env }: StateCore) => {
    if (!RIGHT_TO_LEFT.test(src)) return
    env[KEY] = true
    for (const token of tokens)
      if (token.level === 0 && CONTAINERS.has(token.type)) token.attrSet('dir', 'auto')
  })
}

/**
 * Returns the `dir` attribute for content that is always left to right, such as code and formulas, so that its
 * letters do not decide the direction of the list around it. Returns an empty string for texts without right-to-left
 * letters.
 */
export const leftToRight = (env: Env | undefined): string => (env?.[KEY] ? ' dir="ltr"' : '')
