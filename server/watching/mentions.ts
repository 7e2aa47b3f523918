import { fold } from '#contract/parts/folding.ts'

/** A member who may be mentioned. */
type Named = { id: string; name: string }

/** The maximum number of signs that are looked at, so that a text full of them is as cheap as any other. */
const SIGNS_MAX = 200

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
 * the longest is meant; people of the same name are all mentioned. Names in code and in email addresses are not mentions.
 */
export function mentionedIn(content: string, members: readonly Named[]): string[] {
  if (!content.includes('@')) return []
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
    if (isWordEnd(text.slice(Math.max(0, at - 2), at))) continue
    const rest = text.slice(at + 1, at + 1 + NAME_LENGTH)
    const candidates = byFirstLetter.get(String.fromCodePoint(rest.codePointAt(0) ?? 0)) ?? []
    const longest = candidates.find(({ wanted }) => begins(rest, wanted))?.wanted
    for (const { id, wanted } of candidates) if (wanted === longest) found.add(id)
  }
  return [...found].toSorted()
}

/** More characters than a folded name and the one after it can have. */
const NAME_LENGTH = 400

const begins = (text: string, name: string) =>
  text.startsWith(name) && !/^[\p{L}\p{N}\p{M}_]/u.test(text.slice(name.length))

const isWordEnd = (text: string) => /[\p{L}\p{N}\p{M}_]$/u.test(text)
