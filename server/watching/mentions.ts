import { fold } from '#contract/parts/folding.ts'
import { UNSPACED } from '#contract/parts/unspaced.ts'
import { textOfHtml } from '#server/markdown/html-text.ts'

/** A member who may be mentioned. */
type Named = { id: string; name: string }

/** The maximum number of signs that are looked at, so that a text full of them is as cheap as any other. */
const SIGNS_MAX = 200

/** The sign, also as the keyboards of East Asia write it. */
export const hasSign = (content: string): boolean => /[@＠]/.test(content)

/** Elements whose text is not addressed to anybody: code, formulas, and what somebody else said. */
const UNADDRESSED = /^(?:code|pre|math|blockquote)$/
/** A link that shows its own URL or email address. */
const BARE_LINK = /^<a\b[^<>]* data-bare="/
const CALLOUT = /^<blockquote class="callout"/
/** Tags within a line. A name may go on behind them, but neither in another paragraph, item or cell nor in code or the number of a note. */
const WITHIN_LINE = /^(?:a|b|bdi|br|del|em|i|img|input|ins|kbd|mark|s|span|strong|u)$/
/** Stands for the end of a paragraph and its kind: a character that no name has. */
const BETWEEN_LINES = '\0'

/**
 * Returns what a text says to its readers, from its rendered HTML: neither code nor formulas, quotations, bare URLs and email
 * addresses.
 */
function saidIn(html: string): string {
  let said = ''
  let from = 0
  /** For each open element whose text may be left out, whether it is. */
  const open: { name: string; isLeftOut: boolean }[] = []
  const isHeard = () => !open.some(({ isLeftOut }) => isLeftOut)
  for (const { 0: tag, 1: end, 2: name = '', index } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/g)) {
    if (isHeard()) said += html.slice(from, index) + (WITHIN_LINE.test(name) ? tag : BETWEEN_LINES)
    from = index + tag.length
    if (name !== 'a' && !UNADDRESSED.test(name)) continue
    if (end) open.pop()
    else open.push({ name, isLeftOut: name === 'a' ? BARE_LINK.test(tag) : !CALLOUT.test(tag) })
  }
  return textOfHtml(said + html.slice(from))
}

/** The marks in a name such as `_ann_`, which are formatting once it is part of a text. */
const EMPHASIS = /[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

const comparable = (text: string) => fold(text).replaceAll(/\s+/g, ' ').trim()

/**
 * Returns the ids of the members whom a text mentions by `@` and their name, whatever its case, from its rendered HTML. Of names that
 * begin alike, the longest is meant; people of the same name are all mentioned.
 */
export function mentionedIn(html: string, members: readonly Named[]): string[] {
  if (!hasSign(html)) return []
  const text = comparable(saidIn(html))
  const byFirstLetter = Map.groupBy(
    members.flatMap(({ id, name }) => {
      const written = comparable(name)
      const names = new Set([written, written.replaceAll(EMPHASIS, '')])
      return [...names].filter(Boolean).map((wanted) => ({ id, wanted }))
    }),
    ({ wanted }) => String.fromCodePoint(wanted.codePointAt(0) ?? 0),
  )
  for (const named of byFirstLetter.values()) named.sort((a, b) => b.wanted.length - a.wanted.length)
  const found = new Set<string>()
  let signs = 0
  for (let at = text.indexOf('@'); at !== -1 && signs < SIGNS_MAX; at = text.indexOf('@', at + 1)) {
    signs += 1
    if (isInAddress(text.slice(Math.max(0, at - HOST_LENGTH), at))) continue
    const rest = text.slice(at + 1, at + 1 + NAME_LENGTH)
    const candidates = byFirstLetter.get(String.fromCodePoint(rest.codePointAt(0) ?? 0)) ?? []
    const longest = candidates.find(({ wanted }) => begins(rest, wanted))?.wanted
    for (const { id, wanted } of candidates) if (wanted === longest) found.add(id)
  }
  return [...found].toSorted()
}

/** More characters than a folded name and the one after it can have. */
const NAME_LENGTH = 400

/** More characters than a host has. */
const HOST_LENGTH = 300

/** Letters to which those of the next word are joined: names have endings there, and stand between other words without spaces. */
const JOINED = String.raw`${UNSPACED}\p{Script=Hangul}`
const wordBegins = /^[\p{L}\p{N}\p{M}_]/u
const joinedBegins = new RegExp(`^[${JOINED}]`, 'u')
const joinedEnds = new RegExp(`[${JOINED}]$`, 'u')

function begins(text: string, name: string): boolean {
  if (!text.startsWith(name)) return false
  const next = text.slice(name.length, name.length + 2)
  // `@ann@example.social` is the name of an account elsewhere.
  if (/^@[\p{L}\p{N}]/u.test(next)) return false
  return (
    !wordBegins.test(next) || (!/^\p{M}/u.test(next) && (joinedBegins.test(next) || joinedEnds.test(name)))
  )
}

/** Whether a sign after this text belongs to an email address, or to a URL that the renderer does not know as one. */
const isInAddress = (before: string): boolean =>
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]$|[\p{L}\p{N}]\.\p{L}{2,}\/$/u.test(before)
