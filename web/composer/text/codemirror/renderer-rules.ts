import { Autolink, type BlockContext, InlineContext, type Line, type MarkdownConfig } from '@lezer/markdown'
import { eastAsianWidthType } from 'get-east-asian-width'
import { addressEnd } from '#markdown/addresses.ts'
import { frontMatterAfter } from '#markdown/front-matter.ts'

const STAR = 0x2a
const UNDERSCORE = 0x5f
const TILDE = 0x7e

const PUNCTUATION = /[\p{S}\p{P}]/u
const EMOJI = /\p{Emoji_Presentation}/u
const HANGUL = /\p{sc=Hangul}/u
const VARIATION_SELECTOR = /[\uFE00-\uFE0E]/
const IDEOGRAPHIC_SELECTOR = /[\u{E0100}-\u{E01EF}]/u
const QUOTATION_MARK = /[‘’“”]/

/** Whether emphasis may touch punctuation beside this character, because its script has no spaces: true, or unknown. */
function isEastAsian(character: string): boolean | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x1100) return false
  const width = eastAsianWidthType(code)
  if (width === 'fullwidth' || width === 'halfwidth') return true
  if (width === 'wide') return !EMOJI.test(character)
  if (width === 'neutral') return HANGUL.test(character)
  return width === 'ambiguous' ? undefined : false
}

/** Returns the character that ends at a position, a whole one. */
function characterBefore(text: string, end: number): string {
  const low = text.charAt(end - 1)
  return /[\uDC00-\uDFFF]/.test(low) && end > 1 ? text.slice(end - 2, end) : low
}

/**
 * Returns whether a run of marks may open and close emphasis: CommonMark's rule with that of `markdown-it-cjk-friendly` for scripts
 * without spaces. `isWithinWords` is true for marks that may do so within a word.
 */
export function flanking(text: string, from: number, to: number, isWithinWords: boolean) {
  const last = characterBefore(text, from)
  const beforeLast = VARIATION_SELECTOR.test(last) ? characterBefore(text, from - last.length) : undefined
  const before = beforeLast === undefined || /^\p{Zs}?$/u.test(beforeLast) ? last : beforeLast
  const after = String.fromCodePoint(text.codePointAt(to) ?? 0x20)
  const isSpaceBefore = before.trim() === ''
  const isSpaceAfter = after.trim() === ''
  if (isSpaceBefore || isSpaceAfter) return { opens: !isSpaceAfter, closes: !isSpaceBefore }
  const isMarkBefore = PUNCTUATION.test(before)
  const isMarkAfter = PUNCTUATION.test(after)
  if (!isWithinWords) return { opens: isMarkBefore, closes: isMarkAfter }
  const isFree =
    isEastAsian(after) === true ||
    (beforeLast === undefined
      ? (isEastAsian(last) ?? IDEOGRAPHIC_SELECTOR.test(last))
      : (isEastAsian(beforeLast) ?? (last === '\uFE01' && QUOTATION_MARK.test(beforeLast))))
  return { opens: isMarkBefore || isFree || !isMarkAfter, closes: isMarkAfter || isFree || !isMarkBefore }
}

const struck = { resolve: 'Strikethrough', mark: 'StrikethroughMark' }

/** Adds the marks of emphasis at a position; returns their end. */
function delimiter(context: InlineContext, next: number, start: number): number {
  const type =
    next === STAR
      ? InlineContext.emphasisAsterisk
      : next === UNDERSCORE
        ? InlineContext.emphasisUnderscore
        : struck
  let end = start + 1
  while (context.char(end) === next) end++
  if (type === struck && end !== start + 2) return -1
  const { text, offset } = context
  const { opens, closes } = flanking(text, start - offset, end - offset, next !== UNDERSCORE)
  return context.addDelimiter(type, start, end, opens, closes)
}

const scheme = /(?:https?:\/\/|www\.)/iy
const [defaultAutolink] = Autolink.parseInline ?? []

function autolink(context: InlineContext, next: number, at: number): number {
  const { text, offset } = context
  scheme.lastIndex = at - offset
  const [begun] = scheme.exec(text) ?? []
  if (begun === undefined) return defaultAutolink?.parse(context, next, at) ?? -1
  if (/[a-z]/i.test(text.charAt(at - offset - 1)) || context.hasOpenLink) return -1
  const isWww = /^www/i.test(begun)
  const start = at - offset + (isWww ? 0 : begun.length)
  const end = addressEnd(text, start, text.length, isWww ? 2 : 1)
  return end === undefined ? -1 : context.addElement(context.elt('URL', at, offset + end))
}

/** Marks front matter as code. One that is not closed yet ends before the first line that is none of it. */
function frontMatter(context: BlockContext, line: Line): boolean {
  const found = context.lineStart === 0 ? frontMatterAfter(line.text) : undefined
  if (!found?.isField(context.peekLine())) return false
  let fits: boolean | 'end' = true
  while (fits === true && context.nextLine()) fits = found.isLine(line.text)
  if (fits === 'end') context.nextLine()
  context.addElement(context.elt('FencedCode', 0, context.prevLineEnd()))
  return true
}

/** The rules of the renderer that GitHub's Markdown does not have. */
export const likeRenderer: MarkdownConfig = {
  parseInline: [
    {
      name: 'Emphasis',
      parse: (context, next, at) =>
        next === STAR || next === UNDERSCORE ? delimiter(context, next, at) : -1,
    },
    {
      name: 'Strikethrough',
      parse: (context, next, at) => (next === TILDE ? delimiter(context, next, at) : -1),
    },
    { name: 'Autolink', parse: autolink },
  ],
  parseBlock: [{ name: 'FrontMatter', before: 'LinkReference', parse: frontMatter }],
}
