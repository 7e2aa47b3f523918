import { fold } from '#contract/parts/folding.ts'
import { UNSPACED } from '#contract/parts/unspaced.ts'

/** A member who may be mentioned. */
type Named = { id: string; name: string }

/** The maximum number of signs that are looked at, so that a text full of them is as cheap as any other. */
const SIGNS_MAX = 200

/** The sign, also as the keyboards of East Asia write it. */
export const hasSign = (content: string): boolean => /[@＠]/.test(content)

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const INLINE_CODE = /`[^`\n]+`/g

/** Returns a text without its fenced code, in which a sign has another meaning: line by line, so that no line is read twice. */
function withoutFences(content: string): string {
  let fence: string | undefined
  return content
    .split('\n')
    .filter((line) => {
      const mark = FENCE.exec(line)?.[1]
      if (fence === undefined) {
        fence = mark
        return mark === undefined
      }
      if (mark?.startsWith(fence)) fence = undefined
      return false
    })
    .join('\n')
}

const comparable = (text: string) => fold(text).replaceAll(/\s+/g, ' ').trim()

/**
 * Returns the ids of the members whom a Markdown text mentions by `@` and their name, whatever its case. Of names that begin alike,
 * the longest is meant; people of the same name are all mentioned. Names in code, email addresses and URLs are not mentions.
 */
export function mentionedIn(content: string, members: readonly Named[]): string[] {
  if (!hasSign(content)) return []
  const text = comparable(withoutFences(content).replaceAll(INLINE_CODE, ' '))
  const byFirstLetter = Map.groupBy(
    members.flatMap(({ id, name }) => {
      const wanted = comparable(name)
      return wanted === '' ? [] : { id, wanted }
    }),
    ({ wanted }) => String.fromCodePoint(wanted.codePointAt(0) ?? 0),
  )
  for (const named of byFirstLetter.values()) named.sort((a, b) => b.wanted.length - a.wanted.length)
  const found = new Set<string>()
  let signs = 0
  for (let at = text.indexOf('@'); at !== -1 && signs < SIGNS_MAX; at = text.indexOf('@', at + 1)) {
    signs += 1
    if (isInAddress(text.slice(Math.max(0, at - URL_LENGTH), at))) continue
    const rest = text.slice(at + 1, at + 1 + NAME_LENGTH)
    const candidates = byFirstLetter.get(String.fromCodePoint(rest.codePointAt(0) ?? 0)) ?? []
    const longest = candidates.find(({ wanted }) => begins(rest, wanted))?.wanted
    for (const { id, wanted } of candidates) if (wanted === longest) found.add(id)
  }
  return [...found].toSorted()
}

/** More characters than a folded name and the one after it can have. */
const NAME_LENGTH = 400

/** As far as the beginning of a URL is looked for. */
const URL_LENGTH = 2_000

/** Letters to which those of the next word are joined: names have endings there, and stand between other words without spaces. */
const JOINED = String.raw`${UNSPACED}\p{Script=Hangul}`
const wordBegins = /^[\p{L}\p{N}\p{M}_]/u
const joinedBegins = new RegExp(`^[${JOINED}]`, 'u')
const joinedEnds = new RegExp(`[${JOINED}]$`, 'u')

function begins(text: string, name: string): boolean {
  if (!text.startsWith(name)) return false
  const next = text.slice(name.length, name.length + 2)
  return (
    !wordBegins.test(next) || (!/^\p{M}/u.test(next) && (joinedBegins.test(next) || joinedEnds.test(name)))
  )
}

/** Whether a sign after this text belongs to an email address or a URL. */
function isInAddress(before: string): boolean {
  const word = before.split(/[\s()<>「」、。，]/).at(-1) ?? ''
  return (
    /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]$/u.test(word) || /:\/\/|^www\./.test(word)
  )
}
